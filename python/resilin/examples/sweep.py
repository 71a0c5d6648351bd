"""A sweep of parameters over processes: how far bars of different stiffness and density sag."""
import csv
import itertools
from multiprocessing import get_context

import resilin


def build(young=1e6, density=1000):
    sim = resilin.Simulation(dt=1 / 30, threads=1)
    bar = sim.add_shape("box", size=(1, 0.2, 0.2), cells=(10, 2, 2), density=density, material=resilin.NeoHookean(young=young, poisson=0.4),
                        damping=resilin.damping.StrainRate(shear=5000, bulk=5000))
    sim.pin(bar, "x_min")
    return sim, bar


def sag(parameters):
    """Of a bar that came to rest [m]; a function of plain values, so that any process can run it."""
    sim, bar = build(*parameters)
    sim.run(60)
    return -bar.positions[bar.mesh.vertex_groups["x_max"], 1].mean()


def main(folder):
    grid = list(itertools.product([5e5, 1e6, 2e6, 4e6], [500, 1000]))
    with get_context("spawn").Pool(2) as pool:
        sags = pool.map(sag, grid)
    with open(folder / "sweep.csv", "w", newline="") as file:
        csv.writer(file).writerows([("young [Pa]", "density [kg/m^3]", "sag [m]"), *((*p, s) for p, s in zip(grid, sags))])
    for (young, density), s in zip(grid, sags):
        print(f"{young:9.3g} Pa {density:6} kg/m^3: {1e3 * s:6.1f} mm")
    return dict(zip(grid, sags))
