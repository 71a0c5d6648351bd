"""Material design: control points of stress make a tendon that is soft at first and stiff beyond 10 % of stretch."""
import resilin


def stretch_of(material):
    """How much longer a hanging strip of it gets, relative to its length."""
    sim = resilin.Simulation(dt=1 / 30, solver=resilin.Newton())
    strip = sim.add_shape("box", size=(0.1, 0.4, 0.1), cells=(2, 8, 2), material=material,
                          damping=resilin.damping.StrainRate(shear=500, bulk=500))
    sim.pin(strip, "y_max")
    sim.run(60)
    return (-0.2 - strip.positions[:, 1].min()) / 0.4


def main(folder):
    young = 4e3
    linear = [[0.5, -0.5 * young], [1.0, 0.0], [1.1, 0.1 * young], [2.0, young]]
    tendon = [[0.5, -0.5 * young], [1.0, 0.0], [1.1, 0.1 * young], [1.2, young], [2.0, 10 * young]]
    stretches = {name: stretch_of(resilin.Spline(stress=points)) for name, points in (("linear", linear), ("tendon", tendon))}
    for name, stretch in stretches.items():
        print(f"{name:8} gets {100 * stretch:.1f} % longer under its own weight")
    return stretches
