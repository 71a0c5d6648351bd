"""What a step costs more from Python than from C++: python -m resilin.overhead [STEPS]. Called by `resilin bench python`."""
import json
import statistics
import sys
import time

from . import Simulation, Xpbd

# A step of a few microseconds, so that what Python adds is seen.
SCENE = {"step": 0.01, "contact": False, "solver": Xpbd(iterations=1).to_dict(), "bodies": [{"shape": {"type": "box", "cells": [1, 1, 1]}}]}


def measure(steps):
    """Medians in microseconds. overhead: wall time of step() less what the step itself took, by the clock in C++."""
    sim = Simulation.from_scene(SCENE, threads=1)
    clock = time.perf_counter
    walls, insides, reads = [], [], []
    for _ in range(steps):
        start = clock()
        report = sim.step()
        middle = clock()
        sim.positions
        end = clock()
        walls.append(middle - start)
        insides.append(report.seconds)
        reads.append(end - middle)
    at = sim.positions.ctypes.data
    sim.step()
    return {"steps": steps, "step_us": 1e6 * statistics.median(walls), "inside_us": 1e6 * statistics.median(insides),
            "overhead_us": 1e6 * statistics.median([w - i for w, i in zip(walls, insides)]),
            "positions_us": 1e6 * statistics.median(reads), "copies": int(sim.positions.ctypes.data != at)}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)))
