"""Where an artifact's pages stand, and what stands around them."""

from diptych.fast_named_tuple import NamedTuple
from diptych.report.page_frames import Frame


class Place(NamedTuple):
    """Where an artifact's pages stand, and what stands around them: the frame, the digest, links to its runs."""

    frame: Frame
    digest: str
    runs: tuple[tuple[str, str], ...]
