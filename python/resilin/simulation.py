"""A simulation: from a scene, or built body by body."""
from __future__ import annotations

import json
import operator
import os
import warnings
from typing import Any, Callable, Sequence

import numpy as np

from . import _core, _given as given, objective as _objective
from ._plugins import PRESETS, Plugin, choice
from .custom import PythonDamping, PythonMaterial
from .description import Description


class StepFailed(RuntimeError):
    """A step was rejected: its numbers were not finite. The state is as before; `report` says more."""

    def __init__(self, report):
        super().__init__(f"the step was rejected ({report.status}): use a smaller dt or more iterations; the state is as before")
        self.report = report


class EditRefused(RuntimeWarning):
    """An edit could not be applied when the step began; it changed nothing."""


class Body:
    """A body of a simulation: its vertices are a range of all of them."""

    def __init__(self, simulation, index, name, first_vertex, vertex_count, mesh=None):
        self._simulation = simulation
        self.index, self.name, self.mesh = index, name, mesh
        self.first_vertex, self.vertex_count = first_vertex, vertex_count

    @property
    def vertices(self) -> slice:
        """The slice of its vertices among those of the simulation."""
        return slice(self.first_vertex, self.first_vertex + self.vertex_count)

    @property
    def positions(self) -> np.ndarray:
        """(n, 3) [m], a view"""
        return self._simulation.positions[self.vertices]

    @property
    def velocities(self) -> np.ndarray:
        """(n, 3) [m/s], a view"""
        return self._simulation.velocities[self.vertices]

    def ids(self, selection) -> np.ndarray:
        """Ids among all vertices of the simulation, of a mask, ids or a group of this body: what edits take."""
        return np.arange(self.first_vertex, self.first_vertex + self.vertex_count)[self._select(selection)]

    def _select(self, selection):
        if not isinstance(selection, str):
            return selection
        groups = self.mesh.vertex_groups if self.mesh is not None else {}
        if selection not in groups:
            raise _core.InputError(f'body "{self.name}": there is no group "{selection}"; there are: {", ".join(groups) or "none"}')
        return groups[selection]

    def __repr__(self):
        return f'<resilin.Body "{self.name}": {self.vertex_count} vertices>'


def _material(material, columns):
    """What the core takes, of a body whose F has that many columns."""
    if not isinstance(material, PythonMaterial):
        return choice("material", material)
    if material._columns != columns:
        raise _core.InputError("material: a PythonMaterial is one of solids, a PythonMembrane one of sheets")
    return material._own()


class Simulation:
    """Bodies, what acts on them, and their state. SI units; y is up.

    Made from code: add bodies first, then what holds and pushes them; it is built when it first steps or when its arrays are asked for, and
    nothing can be added from then on. From a scene: `Simulation.from_scene("cantilever")`.

    dt: time step [s]; integrator, solver: a name, one of resilin.integrators and resilin.solvers, or, in place of a solver, a function
    minimise(objective, x) -> x. contact: True or a dict (radius, stiffness, friction, between, self): bodies touch each other and themselves. reduction:
    a dict (handles, ...): fewer unknowns than vertices. threads: 0 for all cores.
    """

    def __init__(self, dt=1 / 30, integrator="backward_euler", solver="quasi_newton", *, gravity=(0, -9.81, 0), contact=False,
                 reduction=None, threads=0):
        dt = float(dt)
        if not dt > 0 or not np.isfinite(dt):
            raise _core.InputError(f"dt: {dt} s: the time step must be positive and finite")
        self._core = None
        self._builder = _core.Builder()
        self._builder.frame = dt
        self._builder.gravity(gravity)
        if contact:
            self._builder.contact({} if contact is True else contact)
        own = callable(solver) and not isinstance(solver, (Plugin, type))
        self._make = (dt, choice("integrator", integrator),
                      _objective.wrap_solver(solver) if own else choice("solver", solver), given.threads(threads), reduction)
        self._description = Description(dt, integrator, None if own else solver, gravity, contact, reduction)
        self._bodies, self._vertex_count = [], 0
        self._observers, self._observed, self._forced = {}, 0, False
        self._tracing, self._each_iteration = False, None

    @classmethod
    def from_scene(cls, scene, *, overrides=None, threads=0, folder=None) -> Simulation:
        """Of a scene's name, a file (a scene or a mesh), or a dict. `overrides`: {"solver.iterations": 20}; `folder`: what paths in a dict are
        relative to."""
        pairs = [(key, value if isinstance(value, str) else given.text(value)) for key, value in dict(overrides or {}).items()]
        if isinstance(scene, dict):
            where = os.path.join(os.fspath(folder), "scene") if folder is not None else "scene"
            core = _core.parse_scene(given.text(scene), where, pairs, given.threads(threads))
        else:
            core = _core.load_scene(os.fspath(scene), pairs, given.threads(threads))
        self = cls()
        self._builder = self._description = None
        self._take(core)
        self._bodies = [Body(self, i, b["name"], b["first_vertex"], b["vertex_count"]) for i, b in enumerate(core.bodies())]
        return self

    # ---- building ---------------------------------------------------------------------------------------------------

    def add_tets(self, vertices, tets=None, *, material="neo_hookean", density=None, name=None, damping=None, surface=None,
                 regions=None, fibre=None, potentials=None, skin=None, inflation=None) -> Body:
        """A solid of `vertices` (n, 3) and `tets` (m, 4), or of a TetMesh. material: one of resilin.materials, a preset such as "rubber", or a
        PythonMaterial; density [kg/m^3]; parameters and densities may be arrays with one number per tet. damping: one of resilin.damping, or a
        list. surface: a TriangleMesh that it carries. regions: dicts with tets, material, density. fibre: a dict with stiffness, direction."""
        mesh = vertices if isinstance(vertices, _core.TetMesh) and tets is None else _core.TetMesh(vertices, tets)
        if density is None:
            density = PRESETS[material]["density"] if isinstance(material, str) and material in PRESETS else 1000
        options = {"name": name, "density": density, "surface": surface, "fibre": fibre, "inflation": inflation,
                   "material": _material(material, 3), "potentials": [choice("potential", p) for p in given.each(potentials)],
                   "regions": [{**r, "material": choice("material", r["material"])} if isinstance(r, dict) and "material" in r else r for r in given.each(regions)],
                   "skin": None if skin is None else self._skin(skin)}
        body = self._added(self._building().add_solid(mesh, options), name, mesh)
        self._description.solid(body, material, density,
                                {"surface": surface, "regions": regions, "fibre": fibre, "potentials": potentials, "skin": skin, "inflation": inflation})
        return self._damped(body, damping)

    def add_shape(self, shape, *, material="neo_hookean", density=None, name=None, damping=None, **params) -> Body:
        """A solid that Resilin meshes: add_shape("box", size=(1, 0.2, 0.2), cells=(10, 2, 2))."""
        return self.add_tets(_core.make_shape(name=shape, params=params), material=material, density=density, name=name, damping=damping)

    def add_cloth(self, vertices, triangles=None, *, material="neo_hookean", density=1000, thickness=1e-3, bending="automatic",
                  potentials=None, warp=(1, 0, 0), name=None, damping=None, inflation=None) -> Body:
        """A sheet of `vertices` (n, 3) and `triangles` (m, 3), or of a TriangleMesh, such as resilin.sheets.grid(). material: as of
        add_tets, or a PythonMembrane; thickness [m]; bending: one of resilin.bending, or "none"."""
        mesh = vertices if isinstance(vertices, _core.TriangleMesh) and triangles is None else _core.TriangleMesh(vertices, triangles)
        skin = {"material": material, "density": density, "thickness": thickness, "bending": bending, "potentials": potentials, "warp": warp}
        body = self._added(self._building().add_shell(mesh, {"name": name, "inflation": inflation, **self._skin(skin)}), name, mesh)
        self._description.shell(body, skin, inflation)
        return self._damped(body, damping)

    def add_springs(self, vertices, edges=None, *, stiffness=1000, mass=0.1, length=None, triangles=None, name=None, damping=None) -> Body:
        """A net: springs of `stiffness` [N/m] along `edges` (m, 2), vertices of `mass` [kg]. triangles: to draw."""
        mesh = vertices if isinstance(vertices, _core.EdgeMesh) and edges is None else _core.EdgeMesh(vertices, edges)
        options = {"name": name, "stiffness": stiffness, "mass": mass, "length": length, "triangles": triangles}
        body = self._added(self._building().add_springs(mesh, options), name, mesh)
        self._description.net(body, options)
        return self._damped(body, damping)

    def damp(self, body, damping) -> None:
        """Damping of a body: one of resilin.damping, a name, or a PythonDamping."""
        own = damping._own() if isinstance(damping, PythonDamping) else choice("damping", damping)
        body = self._body(body)
        self._building().damp(body.index, own)
        self._description.damp(body, None if isinstance(damping, PythonDamping) else damping)

    def pin(self, body, vertices, *, motion=None, at=None, stiffness=None) -> None:
        """Holds vertices of a body, given by a mask, ids or the name of a group. motion: as in a scene, {"translate": {"direction": [0, 1, 0],
        "speed": 0.1}}. at: (m, 3) where, else as they stand. stiffness [N/m]: springs pull them; else they are held exactly."""
        body = self._body(body)
        selected = body._select(vertices)
        self._building().pin(body.index, selected, motion, at, stiffness)
        self._description.pin(body, selected, motion, at, stiffness)

    def add_force(self, body, vector, vertices=None, *, kind="force", signal=None) -> None:
        """A force [N] on each vertex; kind "total": shared by mass; "acceleration": [m/s^2]. signal: as in a scene, {"frequency": 2, ...}."""
        body = self._body(body)
        selected = None if vertices is None else body._select(vertices)
        self._building().force(body.index, vector, selected, kind, signal)
        self._description.force(body, vector, selected, kind, signal)

    def add_obstacle(self, obstacle, **placement) -> None:
        """Keeps all bodies out: one of resilin.obstacles, a name or a dict. placement: translate, rotate, scale, motion as in a scene."""
        name, params = choice("obstacle", obstacle)
        told = {"type": name, **params, **placement}
        self._building().obstacle(told)
        self._description.obstacle(told)

    def place(self, body: Body | str | int, positions: np.ndarray) -> None:
        """Where a body stands at first, (n, 3) [m]; before it is pinned."""
        self._building().place(self._body(body).index, positions)
        self._description.cannot("a position for each vertex")

    def launch(self, body: Body | str | int, velocity: Sequence[float] | np.ndarray) -> None:
        """How fast a body is at first: (3,) for all of it, or (n, 3) [m/s]."""
        body = self._body(body)
        self._building().launch(body.index, velocity)
        self._description.launch(body, velocity)

    @staticmethod
    def _skin(skin):
        told = {"material": "neo_hookean", "density": 1000, "thickness": 1e-3, "bending": "automatic", "potentials": None, "warp": (1, 0, 0)}
        unknown = set(skin) - set(told) if isinstance(skin, dict) else {skin}
        if unknown:
            raise _core.InputError(f"skin: a dict of {', '.join(told)} is wanted, and not {', '.join(map(repr, unknown))}")
        told.update(skin)
        return {**told, "material": _material(told["material"], 2), "bending": choice("bending", told["bending"]),
                "potentials": [choice("potential", p) for p in given.each(told["potentials"])]}

    def _building(self):
        if self._builder is None:
            raise _core.InputError("simulation: it is built already (it was made from a scene, it has stepped or its arrays were asked for): "
                                   "add everything before; edits such as pin_vertices and drag can come later")
        return self._builder

    def _added(self, index, name, mesh):
        count = len(mesh.vertices)
        body = Body(self, index, name or f"body{index + 1}", self._vertex_count, count, mesh)
        self._bodies.append(body)
        self._vertex_count += count
        return body

    def _damped(self, body, damping):
        for one in given.each(damping):
            self.damp(body, one)
        return body

    def _body(self, body):
        if isinstance(body, Body):
            if body._simulation is not self:
                raise _core.InputError(f'body "{body.name}": it is of another simulation')
            return body
        if isinstance(body, (int, np.integer)) and 0 <= body < len(self._bodies):
            return self._bodies[body]
        for each in self._bodies:
            if each.name == body:
                return each
        raise _core.InputError(f'there is no body {body!r}; there are: {", ".join(b.name for b in self._bodies) or "none"}')

    def _take(self, core):
        self._core = core
        core.tracing = self._tracing
        if self._each_iteration is not None:
            core.on_iteration(self._each_iteration)
        for note in core.notes:
            warnings.warn(note, stacklevel=4)

    @property
    def _built(self):
        if self._core is None:
            if not self._bodies:
                raise _core.InputError("simulation: it has no bodies: add one first")
            dt, integrator, solver, threads, reduction = self._make
            core = self._builder.simulation(dt, integrator, solver, threads, reduction)
            self._builder = None
            self._take(core)
        return self._core

    # ---- stepping ---------------------------------------------------------------------------------------------------

    def step(self, forces: np.ndarray | None = None) -> _core.StepReport:
        """Advances by one time step; returns its StepReport. forces: (n, 3) [N] on all vertices, in this step only. Raises StepFailed when the step was
        rejected. Other threads run meanwhile; Ctrl-C stops it and leaves the state as before."""
        core = self._core or self._built
        if forces is not None or self._forced:
            core.set_forces(forces)
            self._forced = forces is not None
        return self._finish(core.step())

    def run(self, steps: int) -> _core.StepReport | None:
        """That many steps; the report of the last one."""
        steps = operator.index(steps)
        if not 0 <= steps < 2 ** 31:
            raise _core.InputError(f"run: {steps} steps")
        if self._observers:
            report = None
            for _ in range(steps):
                report = self.step()
            return report
        core = self._built
        if self._forced:
            core.set_forces(None)
            self._forced = False
        return self._finish(core.run(steps)) if steps else None

    def _finish(self, report):
        for reason in report.refused:
            warnings.warn(f"an edit was refused: {reason}", EditRefused, stacklevel=3)
        if report.status in ("not_finite", "cancelled"):
            raise StepFailed(report)
        for callback in list(self._observers.values()):
            callback(self, report)
        return report

    def observe(self, callback: Callable[[Simulation, _core.StepReport], None]) -> int:
        """callback(simulation, report) after every step; returns a number for unobserve."""
        if callback is None:
            raise TypeError("observe: a function is wanted")
        self._observed += 1
        self._observers[self._observed] = given.function(callback, "observe")
        return self._observed

    def unobserve(self, number) -> None:
        """Ends what observe began."""
        self._observers.pop(number, None)

    def on_iteration(self, callback: Callable[[np.ndarray, _core.IterationRecord], None] | None) -> None:
        """callback(x, record) at every iterate x (n, 3) of the solver, with its IterationRecord; None: no more."""
        self._each_iteration = given.function(callback, "on_iteration")
        if self._core is not None:
            self._core.on_iteration(callback)

    @property
    def tracing(self):
        """Whether step reports have a trace of iterations."""
        return self._tracing

    @tracing.setter
    def tracing(self, on):
        self._tracing = bool(on)
        if self._core is not None:
            self._core.tracing = self._tracing

    # ---- state ------------------------------------------------------------------------------------------------------

    @property
    def positions(self) -> np.ndarray:
        """(n, 3) [m]: a read-only view of the simulation's own array, which steps change; it stays valid when the simulation is gone. Of a reduced
        simulation ask again after every step."""
        return (self._core or self._built).positions()

    @property
    def velocities(self) -> np.ndarray:
        """(n, 3) [m/s]: as positions"""
        return (self._core or self._built).velocities()

    @property
    def rest(self) -> np.ndarray:
        """(n, 3) [m] at rest, a copy"""
        return self._built.rest()

    @property
    def masses(self) -> np.ndarray:
        """(n,) [kg], a copy"""
        return self._built.masses()

    @property
    def time(self) -> float:
        """[s]"""
        return self._core.time if self._core is not None else 0.0

    @property
    def steps(self) -> int:
        """Steps so far."""
        return self._core.steps if self._core is not None else 0

    @property
    def dt(self) -> float:
        """[s]"""
        return self._core.dt if self._core is not None else self._make[0]

    @property
    def threads(self) -> int:
        return self._built.threads

    @property
    def state_hash(self) -> str:
        """16 hexadecimal digits: equal bits of the state give equal hashes. As `resilin run` prints it."""
        return self._built.state_hash

    @property
    def bodies(self) -> tuple[Body, ...]:
        return tuple(self._bodies)

    @property
    def scene(self) -> dict | None:
        """The description with its edits, as a dict; None when it was made from code."""
        text = self._built.scene()
        return None if text is None else json.loads(text)

    def to_scene(self) -> dict:
        """The description as a scene, also of a simulation that was made from code: to keep as JSON, to give to the command, to view. InputError
        when there is something that a scene cannot say, such as a material written in Python."""
        return self.scene if self._description is None else self._description.told()

    def state(self) -> _core.State:
        """All of the state, as a value: copies can be kept, pickled and given to set_state."""
        return self._built.state()

    def energy(self) -> dict[str, float]:
        """{"kinetic", "elastic", "external"} [J]"""
        return self._built.energy()

    def momentum(self) -> np.ndarray:
        """(3,) [kg m/s]"""
        return self._built.momentum()

    def angular_momentum(self) -> np.ndarray:
        """(3,) about the origin [kg m^2/s]"""
        return self._built.angular_momentum()

    @property
    def objective(self) -> _objective.Objective:
        """The function that the next step minimises (its first stage): an Objective."""
        return _objective.of(self._built)

    # ---- edits: applied at the start of the next step, in order ---------------------------------------------------------

    def drag(self, vertices=None, target=(0, 0, 0), *, stiffness=1000, name="drag", offsets=None, weights=None) -> None:
        """Pulls vertices so that their middle goes to `target` [m]; one of that name that holds already is moved. stiffness [N/m] of all together."""
        self._built.drag(name, vertices, target, float(stiffness), offsets, weights)

    def release(self, name: str = "drag") -> None:
        """Lets go of what drag holds."""
        self._built.release(name)

    def pin_vertices(self, vertices, positions=None) -> None:
        """Holds vertices where they are, or at `positions` (m, 3)."""
        self._built.pin_vertices(vertices, positions)

    def unpin_vertices(self, vertices) -> None:
        """Frees vertices of every hard pin."""
        self._built.unpin_vertices(vertices)

    def set_state(self, state=None, *, positions=None, velocities=None) -> None:
        """A State replaces all of it at once; positions or velocities (n, 3) are an edit of the next step."""
        if state is not None:
            if positions is not None or velocities is not None:
                raise TypeError("a state, or positions and velocities")
            if not isinstance(state, _core.State):
                raise TypeError(f"{type(state).__name__} is no State; arrays are given as positions=, velocities=")
            self._built.set_state(state)
        else:
            self._built.post_state(positions, velocities)

    def reset(self) -> None:
        """The first state, at the present time."""
        self._built.reset()

    def flatten(self, body="", axis=1) -> None:
        """Squashes a body (all of them) flat across an axis."""
        self._built.flatten(self._name(body), axis)

    def randomise(self, body="", seed=1) -> None:
        """Every free vertex anywhere in the bounding box."""
        self._built.randomise(self._name(body), seed)

    def kick(self, velocity: Sequence[float], body: Body | str = "") -> None:
        """Adds a velocity [m/s] to a body (to all of them)."""
        self._built.kick(velocity, self._name(body))

    def set_parameter(self, path: str, value: Any) -> None:
        """Any parameter by its path in the scene, "bodies[0].material.young"; only of simulations from scenes."""
        self._built.set_parameter(path, value)

    def post(self, edit: dict) -> None:
        """Any edit by its JSON form, {"edit": "kick", ...}."""
        self._built.post(edit)

    @property
    def edits(self) -> list[dict]:
        """Everything that was applied or refused so far, as dicts."""
        return self._built.edits()

    @staticmethod
    def _name(body):
        return body.name if isinstance(body, Body) else body

    # ---- out ----------------------------------------------------------------------------------------------------------

    def render(self, width=960, height=720, *, samples=3, eye=None, target=None, up=None, field_of_view=28.0, edges=False, colours=None,
               label="") -> np.ndarray:
        """A picture as an array (height, width, 3) of uint8. eye, target: a camera [m]; else everything is shown. colours: (n,) a number per vertex."""
        return _core.render(self._built, width, height, samples, eye, target, up, field_of_view, edges, colours, label)

    def write(self, path: str | os.PathLike) -> None:
        """The bodies as they are, as a file in the format of its extension: .obj, .vtu, .ply, ..."""
        self._built.write(os.fspath(path))

    def view(self, height=600):
        """The page, inline in a notebook, on a copy of this simulation as it is now; the page's goes on from there, and this one stays as it is. See
        resilin.view. InputError where to_scene() has one."""
        from .laboratory import view_state
        return view_state(self._built, None if self._description is None else given.text(self.to_scene()), height=height)

    def __reduce__(self):
        raise TypeError("a Simulation can be neither copied nor pickled: to_scene() and state() can, and make another one like it")

    def __repr__(self):
        names = ", ".join(b.name for b in self._bodies)
        return f"<resilin.Simulation: {names or 'no bodies'}; step {self.steps}, t = {self.time:.4g} s>"
