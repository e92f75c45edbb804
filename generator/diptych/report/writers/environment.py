"""The two template environments: HTML, where all is escaped, and Markdown, where what is hostile passes a filter.

The template library is imported by whoever wants a page, not by whoever imports this module:
it costs more than a comparison.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from diptych.report.writers.harmless import visible

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = "diptych.templates"


@cache
def html_environment() -> "Environment":
    """Return the environment of pages: every value is escaped, an unknown name is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        # not select_autoescape: it goes by a template's ending and leaves *.html.j2 alone
        autoescape=True,
        undefined=StrictUndefined,
        loader=PackageLoader(PACKAGE, ""),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=template_value,
    )


def template_value(value: Any) -> Any:
    """Return a value as a template may place it: text that is not markup of ours has its hidden characters shown."""
    return visible(value) if type(value) is str else value


@cache
def markdown_environment() -> "Environment":
    """Return the environment of Markdown: nothing is escaped by itself, so a template names the filter of each text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from diptych.report.writers import markdown

    environment = Environment(
        autoescape=False,  # Markdown is not HTML; the filters below do the escaping
        undefined=StrictUndefined,
        loader=PackageLoader(PACKAGE, ""),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        keep_trailing_newline=True,
    )
    for function in (
        markdown.cell,
        markdown.code,
        markdown.code_html,
        markdown.fence,
        markdown.plain_sentence,
        markdown.visible,
    ):
        environment.filters[function.__name__] = function
    return environment


def html_page(template: str, **values: Any) -> str:
    """Return a page from a template and what a view worked out."""
    return html_environment().get_template(template).render(**values)


def markdown_page(template: str, **values: Any) -> str:
    """Return Markdown from a template and what a view worked out."""
    return markdown_environment().get_template(template).render(**values)


@cache
def static_text(name: str) -> str:
    """Return a static file of the templates' package as text."""
    import pkgutil  # a tenth of what importlib.resources costs

    data = pkgutil.get_data(PACKAGE, f"static/{name}")
    if data is None:
        raise FileNotFoundError(name)
    return data.decode("utf-8")
