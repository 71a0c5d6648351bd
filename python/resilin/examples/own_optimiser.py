"""An optimiser of one's own against those of Resilin, on the function that a time step minimises."""
import numpy as np
from scipy.optimize import minimize
from scipy.sparse.linalg import spsolve

import resilin


def newton(objective, x, iterations=20):
    """Newton's method with a line search, in ten lines; x is (n, 3)."""
    for _ in range(iterations):
        value, gradient = objective.value_and_gradient(x)
        if np.linalg.norm(gradient) < 1e-8 * np.linalg.norm(objective.gradient(objective.start)):
            break
        direction = -spsolve(objective.hessian(x, positive_definite=True), gradient.ravel()).reshape(x.shape)
        length = 1.0
        while objective.value(x + length * direction) > value and length > 1e-6:
            length /= 2
        x = x + length * direction
    return x


def build(solver="newton"):
    sim = resilin.Simulation(dt=1 / 30, solver=solver)
    body = sim.add_shape("box", size=(1, 0.2, 0.2), cells=(6, 2, 2), material=resilin.NeoHookean(young=2e5, poisson=0.4))
    sim.pin(body, "x_min")
    return sim, body


def main(folder):
    # The function alone, with anything that takes value and gradient.
    sim, _ = build()
    objective = sim.objective
    found = minimize(objective.value_and_gradient, objective.start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    ours = newton(objective, objective.start)
    print(f"Phi by scipy's L-BFGS-B: {found.fun:.9f} J after {found.nfev} evaluations; by ten lines of Newton: {objective.value(ours):.9f} J")

    # In place of the solver, step by step.
    reference, _ = build(resilin.Newton(gradient_tolerance=1e-9))
    own, _ = build(newton)
    for _ in range(20):
        reference.step()
        own.step()
    difference = np.abs(own.positions - reference.positions).max()
    print(f"after 20 steps both are within {difference:.1e} m")
    return difference
