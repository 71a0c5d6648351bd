"""A material of one's own: energy and stress in numpy, checked, and simulated beside the one in C++."""
import numpy as np

import resilin


class StableNeoHookean(resilin.PythonMaterial):
    """psi = mu/2 (I_C - 3) + lambda/2 (J - a)^2, a = 1 + mu/lambda: neo-Hookean without a logarithm (Smith et al. 2018, without their
    regularisation)."""

    def __init__(self, young, poisson):
        self.mu = young / (2 * (1 + poisson))
        self.lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        self.a = 1 + self.mu / self.lame
        super().__init__(name="stable_neo_hookean")

    def energy(self, F):
        J = np.linalg.det(F)
        return 0.5 * self.mu * (np.einsum("nij,nij->n", F, F) - 3) + 0.5 * self.lame * (J - self.a) ** 2 - 0.5 * self.mu ** 2 / self.lame

    def stress(self, F):
        J = np.linalg.det(F)
        cofactor = np.stack([np.cross(F[:, 1], F[:, 2]), np.cross(F[:, 2], F[:, 0]), np.cross(F[:, 0], F[:, 1])], axis=1)
        return self.mu * F + (self.lame * (J - self.a))[:, None, None] * cofactor


def build(material=resilin.NeoHookean(young=2e5, poisson=0.4)):
    sim = resilin.Simulation(dt=1 / 60)
    bar = sim.add_shape("box", size=(0.6, 0.1, 0.1), cells=(6, 1, 1), material=material)
    sim.pin(bar, "x_min")
    return sim, bar


def bend(material, steps=20):
    """Height of the end of a bar [m]."""
    sim, bar = build(material)
    sim.run(steps)
    return bar.positions[bar.mesh.vertex_groups["x_max"], 1].mean()


def main(folder):
    material = StableNeoHookean(young=2e5, poisson=0.4)
    print(resilin.check_material(material))
    own, built_in = bend(material), bend(resilin.NeoHookean(young=2e5, poisson=0.4))
    print(f"the end is at {own:.4f} m, with the neo-Hookean material of Resilin at {built_in:.4f} m")
    return own, built_in
