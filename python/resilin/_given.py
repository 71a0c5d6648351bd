"""What callers give, checked and made plain."""
import json
import operator
import os

import numpy as np

from . import _core
from ._plugins import Plugin


def _json(value):
    if isinstance(value, Plugin):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__fspath__"):
        return os.fspath(value)
    raise _core.InputError(f"scene: {type(value).__name__} cannot stand in a scene")


def text(scene):
    try:
        return json.dumps(scene, default=_json, allow_nan=False)
    except ValueError as error:
        if isinstance(error, _core.InputError):
            raise
        raise _core.InputError(f"scene: {error}") from None
    except TypeError as error:
        raise _core.InputError(f"scene: {error}") from None


def threads(count):
    if not 0 <= operator.index(count) <= 1024:
        raise _core.InputError(f"threads: {count}: 0 (all cores) to 1024")
    return operator.index(count)


def each(value):
    """A list or a tuple; one that stands alone as a list; None as an empty one."""
    return value if isinstance(value, (list, tuple)) else [] if value is None else [value]


def function(callback, what):
    if callback is not None and not callable(callback):
        raise TypeError(f"{what}: {type(callback).__name__} stands where a function is wanted")
    return callback
