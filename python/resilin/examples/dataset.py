"""A dataset for learning: motions of a bar under random forces, as one .npz file."""
import numpy as np

import resilin


def build():
    sim = resilin.Simulation(dt=1 / 60)
    bar = sim.add_shape("box", size=(0.4, 0.1, 0.1), cells=(4, 1, 1), material=resilin.NeoHookean(young=1e5, poisson=0.4))
    sim.pin(bar, "x_min")
    return sim, bar


def trajectory(rng, steps):
    """Positions, velocities and forces of every step."""
    sim, bar = build()
    end = bar.mesh.vertex_groups["x_max"]
    frames = {"positions": [], "velocities": [], "forces": []}
    force = np.zeros((len(bar.mesh.vertices), 3))
    for step in range(steps):
        if step % 10 == 0:  # another push every sixth of a second
            force[end] = rng.normal(0, 2, 3)
        sim.step(forces=force)
        frames["positions"].append(sim.positions.copy())  # the array itself goes on changing
        frames["velocities"].append(sim.velocities.copy())
        frames["forces"].append(force.copy())
    return frames, bar


def main(folder):
    rng = np.random.default_rng(1)
    runs = [trajectory(rng, 40) for _ in range(10)]
    arrays = {key: np.array([frames[key] for frames, _ in runs], dtype=np.float32) for key in ("positions", "velocities", "forces")}
    bar = runs[0][1]
    path = folder / "dataset.npz"
    np.savez_compressed(path, rest=bar.mesh.vertices, tets=bar.mesh.tets, dt=1 / 60, **arrays)
    print(f"{path.name}: {arrays['positions'].shape} positions, {path.stat().st_size / 1e6:.2f} MB")
    return arrays
