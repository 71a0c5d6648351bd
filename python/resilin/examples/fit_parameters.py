"""Young's modulus and damping of a beam, found from a measured motion with scipy.optimize."""
import numpy as np
from scipy.optimize import least_squares

import resilin


def build(young=2e5, viscosity=300.0):
    sim = resilin.Simulation(dt=1 / 60, integrator="tr_bdf2", solver=resilin.QuasiNewton(tolerance=1e-3))
    beam = sim.add_shape("box", size=(0.5, 0.1, 0.1), cells=(5, 1, 1), material=resilin.NeoHookean(young=young, poisson=0.4),
                         damping=resilin.damping.StrainRate(shear=viscosity, bulk=viscosity))
    sim.pin(beam, "x_min")
    return sim, beam


def motion(young, viscosity, frames=30):
    """Height of the end of a beam that is let go, frame by frame [m]."""
    sim, beam = build(young, viscosity)
    end = beam.mesh.vertex_groups["x_max"]
    heights = []
    for _ in range(frames):
        sim.step()
        heights.append(beam.positions[end, 1].mean())
    return np.array(heights)


def main(folder):
    true = np.array([2e5, 300.0])
    measured = motion(*true) + np.random.default_rng(1).normal(0, 1e-4, 30)  # a camera's noise of 0.1 mm

    guess = np.array([5e5, 50.0])  # logarithms: both are positive, and far apart
    found = least_squares(lambda p: motion(*np.exp(p)) - measured, np.log(guess), diff_step=1e-3, x_scale=1, max_nfev=12)
    young, viscosity = np.exp(found.x)
    print(f"Young's modulus {young:.4g} Pa (true {true[0]:.4g}), viscosity {viscosity:.4g} Pa s (true {true[1]:.4g})")
    print(f"left over: {1e3 * np.sqrt(np.mean(found.fun ** 2)):.3f} mm")
    return young, viscosity
