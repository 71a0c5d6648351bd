"""Solvers on the same step: how fast forces come into balance, as a plot."""
import resilin


def build(solver="quasi_newton"):
    sim = resilin.Simulation(dt=1 / 30, solver=solver)
    bar = sim.add_shape("box", size=(1, 0.2, 0.2), cells=(10, 2, 2), pattern="bcc", material=resilin.NeoHookean(young=1e5, poisson=0.4))
    sim.pin(bar, "x_min")
    return sim, bar


def traces(solvers, steps=8):
    """{name: residuals of the last of some steps}, each from the same state."""
    out = {}
    state = None
    for name, solver in solvers.items():
        sim, _ = build(solver)
        if state is None:
            sim.run(steps)
            state = sim.state()
        sim.set_state(state)
        sim.tracing = True
        out[name] = [record.force_residual for record in sim.step().solve.trace]
    return out


def main(folder):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    common = {"iterations": 40, "gradient_tolerance": 1e-9}
    residuals = traces({"Newton": resilin.Newton(**common), "quasi-Newton": resilin.QuasiNewton(**common),
                        "quasi-Newton as published": resilin.QuasiNewton(method="paper", **common),
                        "Chebyshev": resilin.Chebyshev(**common)})
    figure, axes = pyplot.subplots()
    for name, values in residuals.items():
        axes.semilogy(values, label=name)
        print(f"{name:26} {len(values):3} iterations, residual {values[-1]:.1e} N")
    axes.set_xlabel("iteration")
    axes.set_ylabel("forces out of balance [N]")
    axes.legend()
    figure.savefig(folder / "compare_solvers.png")
    return residuals
