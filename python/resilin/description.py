"""A simulation that is made from code, told as a scene: for the page, for files and for the command."""
import numpy as np

from . import _core
from ._given import each
from ._plugins import choice
from .custom import PythonMaterial


def _named(kind, value):
    name, params = choice(kind, value)
    return {"type": name, **{k: _plain(v) for k, v in params.items()}}


def _plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value


class Description:
    """What was added so far, and the first thing that a scene cannot say."""

    def __init__(self, dt, integrator, solver, gravity, contact, reduction):
        self.problem = None
        self.scene = {"step": dt, "gravity": _plain(np.asarray(gravity, float)), "contact": _plain(contact), "bodies": [], "pins": [],
                      "forces": [], "obstacles": []}
        self.scene["integrator"] = _named("integrator", integrator)
        if reduction is not None:
            self.scene["reduction"] = _plain(reduction)
        if solver is None:
            self.cannot("a solver that is a Python function")
        else:
            self.scene["solver"] = _named("solver", solver)

    def cannot(self, what):
        self.problem = self.problem or what

    def solid(self, body, material, density, options):
        told = {"name": body.name, "mesh": self._mesh(body.mesh, "tets"), "density": self._number(density, "density")}
        self._material(told, material)
        for key in ("surface", "skin"):
            if options.get(key) is not None:
                self.cannot(f"{key} of a solid that is made from arrays")
        for key in ("fibre", "inflation"):
            if options.get(key) is not None:
                told[key] = _plain(options[key])
        told["potentials"] = [_named("potential", p) for p in each(options.get("potentials"))]
        told["regions"] = []
        for region in each(options.get("regions")):
            part = {"select": {"indices": _plain(np.asarray(region["tets"]))}}
            if "material" in region:
                part["material"] = _named("material", region["material"])
            if "density" in region:
                part["density"] = _plain(region["density"])
            told["regions"].append(part)
        self.scene["bodies"].append(told)

    def shell(self, body, skin, inflation):
        told = {"name": body.name, "shell": self._mesh(body.mesh, "triangles"), "thickness": _plain(skin["thickness"]),
                "density": self._number(skin["density"], "density"),
                "potentials": [_named("potential", p) for p in each(skin["potentials"])], "warp": _plain(skin["warp"])}
        self._material(told, skin["material"])
        if skin["bending"] != "automatic":
            told["bending"] = "none" if skin["bending"] == "none" else _named("bending", skin["bending"])
        if inflation is not None:
            told["inflation"] = _plain(inflation)
        self.scene["bodies"].append(told)

    def net(self, body, options):
        if options["length"] is not None or options["triangles"] is not None:
            self.cannot("length or triangles of springs")
        self.scene["bodies"].append({"name": body.name, "springs": {**self._mesh(body.mesh, "edges", groups=False),
                                                                    "stiffness": _plain(options["stiffness"]), "mass": _plain(options["mass"])}})

    def damp(self, body, damping):
        if damping is None:
            self.cannot("damping that is written in Python")
        else:
            self.scene["bodies"][body.index].setdefault("damping", []).append(_named("damping", damping))

    def pin(self, body, ids, motion, at, stiffness):
        if at is not None:
            self.cannot("`at` of a pin")
        told = {"body": body.name, "select": {"indices": self._ids(body, ids)}}
        if motion is not None:
            told["motion"] = _plain(motion)
        if stiffness is not None:
            told.update(kind="soft", stiffness=_plain(stiffness))
        self.scene["pins"].append(told)

    def force(self, body, vector, ids, kind, signal):
        told = {"body": body.name, kind: _plain(np.asarray(vector, float))}
        if ids is not None:
            told["select"] = {"indices": self._ids(body, ids)}
        if signal is not None:
            told["signal"] = _plain(signal)
        self.scene["forces"].append(told)

    def obstacle(self, told):
        self.scene["obstacles"].append(_plain(told))

    def launch(self, body, velocity):
        velocity = np.asarray(velocity, float)
        if velocity.shape != (3,):
            return self.cannot("a velocity for each vertex")
        self.scene["bodies"][body.index]["initial"] = {"velocity": velocity.tolist()}

    def told(self):
        if self.problem is not None:
            raise _core.InputError(f"to_scene: a scene cannot have {self.problem}")
        return self.scene

    def _material(self, told, material):
        if isinstance(material, PythonMaterial):
            self.cannot("a material that is written in Python")
        else:
            told["material"] = _named("material", material)

    def _number(self, value, what):
        if np.ndim(value) > 0 and np.size(value) > 1:
            self.cannot(f"{what} for each element")
        return float(np.ravel(value)[0])

    @staticmethod
    def _ids(body, selection):
        return np.arange(body.vertex_count)[np.asarray(selection)].ravel().tolist()

    @staticmethod
    def _mesh(mesh, key, groups=True):
        out = {"vertices": mesh.vertices.tolist(), key: getattr(mesh, key).tolist()}
        if groups:
            out["vertex_groups"] = {k: v.tolist() for k, v in mesh.vertex_groups.items()}
        return out
