"""Written by scripts/update_python.py from what is registered."""
from typing import Any, Literal, Sequence

import numpy

from ._core import TriangleMesh

def disc(*, radius: float = 0.5, rings: int = 8, center: Sequence[float] = [0, 0, 0]) -> TriangleMesh:
    """A flat disc in the xy-plane. Groups of vertices: rim, center.

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        radius
    rings : integer, default 8, in [1, 3000]
        rings of triangles from the centre to the rim
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...

def grid(*, size: Sequence[float] = [1, 1], cells: Sequence[float] = [12, 14], pattern: Literal['regular', 'alternating', 'parallel'] = 'regular', center: Sequence[float] = [0, 0, 0]) -> TriangleMesh:
    """A flat rectangle in the xy-plane, cut into triangles.

    Parameters
    ----------
    size : numbers, default [1, 1] [m], > 0
        extent along x and y
    cells : numbers, default [12, 14], >= 1
        cells along x and y
    pattern : choice, default 'regular', one of 'regular', 'alternating', 'parallel'
        how cells are cut. regular: rows are shifted by half a cell; triangles have equal sides where the cells along y are 1.15 times as many per metre as those along x. alternating: diagonals change from cell to cell. parallel: all diagonals are parallel
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...

def irregular(*, size: Sequence[float] = [1, 1], spacing: float = 0.1, jitter: float = 1, seed: int = 1, center: Sequence[float] = [0, 0, 0]) -> TriangleMesh:
    """A flat rectangle in the xy-plane with triangles of no pattern, as meshing programs make them.

    Parameters
    ----------
    size : numbers, default [1, 1] [m], > 0
        extent along x and y
    spacing : number, default 0.1 [m], > 0
        wanted length of edges
    jitter : number, default 1, in [0, 1]
        how irregular; 0: a regular pattern
    seed : integer, default 1, in [0, 2147483647]
        seed of the random numbers
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...

def sphere(*, radius: float = 0.5, subdivisions: int = 3, center: Sequence[float] = [0, 0, 0]) -> TriangleMesh:
    """The surface of a ball, from a subdivided icosahedron.

    Parameters
    ----------
    radius : number, default 0.5 [m], > 0
        radius
    subdivisions : integer, default 3, in [0, 9]
        each cuts every triangle into four; 3: 642 vertices
    center : vector3, default [0, 0, 0] [m]
        position of the centre
    """
    ...
