"""`NamedTuple` as `typing` has it, defined for a fifth of the price: one comparison defines more than a hundred.

What is dear there is that each class has a constructor compiled from text. Here one is compiled for each number of
fields, and every class gets it with the names of its own. All else is as there: order, defaults, equality, `_replace`,
`_asdict`, `_make`, matching and pickling. That the fields are declared as they should be, the type checker holds.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING or sys.version_info >= (3, 14):  # from there on annotations are made when they are asked for
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple
    from functools import cache
    from types import FunctionType

    @cache
    def pattern(size):
        """Return a named tuple of so many fields, whose parts are the parts of every other one."""
        return namedtuple("pattern", [f"field_{place}" for place in range(size)])

    class Fields(tuple):
        """What every named tuple can do."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

        def __getnewargs__(self):
            return tuple(self)

    class Maker(type):
        """Makes a named tuple of a class statement with annotated fields."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            like = pattern(len(fields))
            made = like.__new__.__code__.replace(co_varnames=("_cls", *fields))
            body |= {field: vars(like)[own] for field, own in zip(fields, like._fields, strict=True)}
            body["__new__"] = FunctionType(made, like.__new__.__globals__, "__new__", tuple(defaults.values()))
            body |= {"__slots__": (), "_fields": fields, "__match_args__": fields, "_field_defaults": defaults}
            return type(name, (Fields, *bases[1:]), body)

    class NamedTuple(metaclass=Maker):
        """What a noun is written to inherit from."""
