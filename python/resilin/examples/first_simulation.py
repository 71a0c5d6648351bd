"""A rubber bar, held at one end, bends and swings; its end is followed and a picture is written."""
import numpy as np

import resilin


def build():
    sim = resilin.Simulation(dt=1 / 60, integrator="tr_bdf2", solver=resilin.QuasiNewton(iterations=30))
    bar = sim.add_shape("box", size=(1, 0.2, 0.2), cells=(10, 2, 2), pattern="bcc", name="bar",
                        material=resilin.NeoHookean(young=5e5, poisson=0.4), density=1000)
    sim.pin(bar, "x_min")
    return sim, bar


def main(folder):
    sim, bar = build()
    end = bar.mesh.vertex_groups["x_max"]
    heights = []
    for _ in range(120):
        sim.step()
        heights.append(bar.positions[end, 1].mean())

    print(f"the end falls by {-min(heights):.3f} m and is at {heights[-1]:.3f} m after {sim.time:.1f} s")
    energy = sim.energy()
    print(f"kinetic {energy['kinetic']:.3f} J, elastic {energy['elastic']:.3f} J")
    speed = np.linalg.norm(sim.velocities, axis=1)
    resilin.save_png(folder / "first_simulation.png", sim.render(480, 360, colours=speed, label="speed [m/s]"))
    return np.array(heights)
