"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._plugins import Plugin

class Box(Plugin):
    """A box around its origin.

    Parameters
    ----------
    size : vector3, default [1, 1, 1] [m]
        lengths of the edges
    inside : boolean, default False
        true: bodies are kept inside of it, as in a container
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, size: Sequence[float] = [1, 1, 1], inside: bool = False, stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...

class Capsule(Plugin):
    """A rod with round ends along its z axis.

    Parameters
    ----------
    radius : number, default 0.25 [m], > 0
        radius of the rod and of its ends
    length : number, default 1 [m], > 0
        length of the axis, without the round ends
    inside : boolean, default False
        true: bodies are kept inside of it, as in a container
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, radius: float = 0.25, length: float = 1, inside: bool = False, stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...

class HeightField(Plugin):
    """Terrain: a block of ground with heights on a grid, around its origin.

    Parameters
    ----------
    size : numbers, default [2, 2] [m], > 0
        extents across and away, as on a map
    heights : any, optional
        heights in metres: a list of rows, the farthest first; or a picture (.pgm, path relative to the scene), whose white is as high as height; default: hills
    height : number, default 0.2 [m], > 0
        height of the highest possible hill, and of white in a picture
    wavelength : number, default 0.7 [m], > 0
        distance between hills
    cells : integer, default 32, in [1, 2000]
        cells of the grid of hills along the longer side
    seed : integer, default 1, in [0, 2147483647]
        seed of the hills; equal seeds give equal hills
    up : choice, default 'y', one of 'y', 'x', 'z'
        axis that points up; default: that of the scene
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, size: Sequence[float] = [2, 2], heights: Any | None = None, height: float = 0.2, wavelength: float = 0.7, cells: int = 32, seed: int = 1, up: Literal['y', 'x', 'z'] = 'y', stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...

class Mesh(Plugin):
    """The inside of a closed surface of triangles.

    Parameters
    ----------
    mesh : any, required
        closed surface that faces outward: a file (path relative to the scene), or {vertices: list of [x, y, z], triangles: list of three vertex ids}
    scale : number, default 1, > 0
        factor of all lengths of the mesh
    inside : boolean, default False
        true: bodies are kept inside of it, as in a container
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, mesh: Any, scale: float = 1, inside: bool = False, stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...

class Plane(Plugin):
    """The ground: a half space.

    Parameters
    ----------
    normal : vector3, default [0, 1, 0]
        normal of the plane; it points to where bodies are
    height : number, default 0 [m]
        distance of the plane from the origin along the normal
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, normal: Sequence[float] = [0, 1, 0], height: float = 0, stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...

class Sphere(Plugin):
    """A ball around its origin.

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        radius
    inside : boolean, default False
        true: bodies are kept inside of it, as in a container
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, radius: float = 0.5, inside: bool = False, stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...

class Torus(Plugin):
    """A ring around its z axis.

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        distance from the centre to the axis of the tube
    tube_radius : number, default 0.2 [m], > 0
        radius of the tube, less than radius
    inside : boolean, default False
        true: bodies are kept inside of it, as in a container
    stiffness : number, optional [N/m], > 0
        stiffness of the contact at each touching vertex; default: the stiffness of the body itself
    response : choice, default 'energy', one of 'energy', 'hard', 'projected'
        energy: vertices inside are pushed out by springs; hard: they may not be inside; projected: they are put on the border after a step has been solved without the obstacle, for study
    friction : any, optional
        coefficient of Coulomb friction mu, or an object of coefficients by body: {"box": 0.3}; default: none
    restitution : number, optional, in [0, 1]
        e: a body leaves with e times the normal speed with which it came; default: as the integrator has it. backward_euler only
    """
    def __init__(self, *, radius: float = 0.5, tube_radius: float = 0.2, inside: bool = False, stiffness: float | None = None, response: Literal['energy', 'hard', 'projected'] = 'energy', friction: Any | None = None, restitution: float | None = None) -> None: ...
