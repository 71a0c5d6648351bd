"""Material design: control points of stress make a tendon that is soft at first and stiff beyond 10 % of stretch."""
import resilin


YOUNG = 4e3
LINEAR = [[0.5, -0.5 * YOUNG], [1.0, 0.0], [1.1, 0.1 * YOUNG], [2.0, YOUNG]]
TENDON = [[0.5, -0.5 * YOUNG], [1.0, 0.0], [1.1, 0.1 * YOUNG], [1.2, YOUNG], [2.0, 10 * YOUNG]]


def build(points=TENDON):
    """A hanging strip; points: [stretch, stress in Pa]."""
    sim = resilin.Simulation(dt=1 / 30, solver=resilin.Newton())
    strip = sim.add_shape("box", size=(0.1, 0.4, 0.1), cells=(2, 8, 2), material=resilin.Spline(stress=points),
                          damping=resilin.damping.StrainRate(shear=500, bulk=500))
    sim.pin(strip, "y_max")
    return sim, strip


def stretch_of(points):
    """How much longer it gets, relative to its length."""
    sim, strip = build(points)
    sim.run(60)
    return (-0.2 - strip.positions[:, 1].min()) / 0.4


def main(folder):
    stretches = {"linear": stretch_of(LINEAR), "tendon": stretch_of(TENDON)}
    for name, stretch in stretches.items():
        print(f"{name:8} gets {100 * stretch:.1f} % longer under its own weight")
    return stretches
