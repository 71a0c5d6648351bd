"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._core import TetMesh

def box(*, size: Sequence[float] = [1, 1, 1], cells: Sequence[float] = [4, 4, 4], pattern: Literal['five', 'six', 'bcc'] = 'five', center: Sequence[float] = [0, 0, 0]) -> TetMesh:
    """A box of cells. Each cell is cut into 5, 6 or, with a body-centred lattice, about 12 tets.

    Parameters
    ----------
    size : vector3, default [1, 1, 1] [m]
        lengths of the edges
    cells : vector3, default [4, 4, 4]
        number of cells along x, y and z
    pattern : choice, default 'five', one of 'five', 'six', 'bcc'
        how a cell is cut. five: 5 tets, mirrored from cell to cell; six: 6 tets, the same in every cell; bcc: body-centred lattice, best shaped
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...

def cylinder(*, radius: float = 0.5, height: float = 1, inner_radius: float = 0, spacing: float = 0.1, center: Sequence[float] = [0, 0, 0]) -> TetMesh:
    """A cylinder or a tube along z, meshed by isosurface stuffing [Labelle and Shewchuk 2007]. Its sharp edges are chamfered.

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        outer radius
    height : number, default 1 [m], > 0
        length along z
    inner_radius : number, default 0 [m], >= 0
        radius of the bore, less than radius; 0: no bore
    spacing : number, default 0.1 [m], > 0
        edge length of the lattice; tets have about this size
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...

def metaballs(*, balls: Any | None = None, blend: float = 0.03, spacing: float = 0.05) -> TetMesh:
    """A smooth union of balls, meshed by isosurface stuffing. Without balls it is a four-legged creature.

    Parameters
    ----------
    balls : any, optional
        list of [x, y, z, radius] or {center, radius}, in metres
    blend : number, default 0.03 [m], >= 0
        width of the blend between neighbouring balls
    spacing : number, default 0.05 [m], > 0
        edge length of the lattice; tets have about this size
    """
    ...

def sphere(*, radius: float = 0.5, spacing: float = 0.1, center: Sequence[float] = [0, 0, 0]) -> TetMesh:
    """A ball, meshed by isosurface stuffing [Labelle and Shewchuk 2007].

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        radius
    spacing : number, default 0.1 [m], > 0
        edge length of the lattice; tets have about this size
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...

def torus(*, radius: float = 0.5, tube_radius: float = 0.2, spacing: float = 0.1, center: Sequence[float] = [0, 0, 0]) -> TetMesh:
    """A torus around z, meshed by isosurface stuffing [Labelle and Shewchuk 2007].

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        distance from the centre to the axis of the tube
    tube_radius : number, default 0.2 [m], > 0
        radius of the tube, less than radius
    spacing : number, default 0.1 [m], > 0
        edge length of the lattice; tets have about this size
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...
