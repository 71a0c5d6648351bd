"""Classes and functions for everything that is registered, made from its declared parameters when the package is imported."""
import difflib
import inspect
import keyword

from . import _core

REGISTRY = _core.registry()
PRESETS = _core.presets()


class Plugin:
    """Something registered, with its parameters; `kind` and `name` say what."""

    kind = ""
    name = ""
    parameters = ()

    def __init__(self, **params):
        known = [p["name"] for p in self.parameters]
        params = {spelled(key): value for key, value in params.items()}
        for key in params:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f" (did you mean '{near[0]}'?)" if near else ""
                raise TypeError(f"{type(self).__name__} has no parameter '{key}'{hint}; it has: {', '.join(known) or 'none'}")
        self.params = {key: value for key, value in params.items() if value is not None}
        if self.kind != "obstacle":  # those have keys of a scene besides: where they stand, how they move
            _core.check(self.kind, self.name, self.params)

    def to_dict(self):
        """As in a scene: {"type": name, ...}."""
        return {"type": self.name, **self.params}

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.params.items())})"

    def __eq__(self, other):
        return isinstance(other, Plugin) and (self.kind, self.to_dict()) == (other.kind, other.to_dict())

    def __hash__(self):
        return hash((self.kind, self.name))


def spelled(key):
    """lambda_ -> lambda, which Python keeps for itself"""
    return key[:-1] if key.endswith("_") and keyword.iskeyword(key[:-1]) else key


def class_name(name):
    """neo_hookean -> NeoHookean"""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def allowed_text(param):
    """'float [Pa], default 1e6, > 0'"""
    text = "required" if param["required"] else "optional" if param["default"] is None else f"default {param['default']!r}"
    if param["unit"]:
        text += f" [{param['unit']}]"
    if param["range"]:
        text += f", {param['range']}"
    if param["choices"]:
        text += ", one of " + ", ".join(repr(c) for c in param["choices"])
    if param["per_element"]:
        text += "; one number, or one per element"
    return text


def docstring(entry):
    lines = [entry["doc"], ""]
    if entry["parameters"]:
        lines += ["Parameters", "----------"]
    for p in entry["parameters"]:
        lines += [f"{p['name']} : {p['type']}, {allowed_text(p)}", f"    {p['doc']}"]
    return "\n".join(lines)


def signature(entry, leading=()):
    params = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in leading]
    for p in entry["parameters"]:
        name = p["name"] + "_" * keyword.iskeyword(p["name"])
        default = inspect.Parameter.empty if p["required"] else p["default"]
        params.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    return inspect.Signature(params)


def define_classes(namespace, kind):
    """A subclass of Plugin for each plugin of a kind, in a module's namespace."""
    names = []
    for entry in REGISTRY[kind]:
        name = class_name(entry["name"])
        made = type(name, (Plugin,), {"kind": kind, "name": entry["name"], "parameters": tuple(entry["parameters"]),
                                      "__doc__": docstring(entry), "__module__": namespace["__name__"],
                                      "__signature__": signature(entry)})
        namespace[name] = made
        names.append(name)
    namespace["__all__"] = names


def define_functions(namespace, kind, make):
    """A function that makes a mesh for each plugin of a kind."""
    names = []
    for entry in REGISTRY[kind]:
        namespace[entry["name"]] = _function(entry, make, namespace["__name__"])
        names.append(entry["name"])
    namespace["__all__"] = names


def _function(entry, make, module):
    def function(**params):
        return make(entry["name"], {spelled(k): v for k, v in params.items() if v is not None})

    function.__name__ = function.__qualname__ = entry["name"]
    function.__doc__ = docstring(entry)
    function.__module__ = module
    function.__signature__ = signature(entry)
    return function


def choice(kind, value):
    """(name, parameters) of a Plugin, a name, a preset or a dict with "type"."""
    if isinstance(value, Plugin):
        if value.kind != kind:
            raise TypeError(f"{value!r} is a {value.kind}, and a {kind} is wanted")
        return value.name, value.params
    if isinstance(value, str):
        if kind == "material" and value in PRESETS:
            preset = PRESETS[value]
            return preset["material"], {"young": preset["young"], "poisson": preset["poisson"]}
        return value, {}
    if isinstance(value, dict):
        if "type" not in value:
            raise _core.InputError(f'{kind}: a dict needs "type", the name of a {kind}')
        return value["type"], {k: v for k, v in value.items() if k != "type"}
    if isinstance(value, type) and issubclass(value, Plugin):
        raise TypeError(f"{value.__name__} is a class: write {value.__name__}()")
    module = kind if kind in ("bending", "damping") else kind + "s"
    raise TypeError(f"{type(value).__name__} is no {kind}: one of resilin.{module}, a name or a dict is wanted")
