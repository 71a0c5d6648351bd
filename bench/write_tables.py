#!/usr/bin/env python3
"""Writes the tables of docs/benchmarks.md from a run.

    ./run bench --json > bench.json && bench/write_tables.py bench.json [docs/benchmarks.md]

What stands between `<!-- table NAME -->` and `<!-- end -->` is replaced; the text around stays.
"""
import json
import re
import sys
from pathlib import Path

# The marks: (case, quantity, place in the document, mark). Milliseconds were set for an Emerald-Rapids-class Xeon.
MARKS = [
    ("scene_a_nh", "ms/frame", "median_ms", "<=", 5),
    ("scene_a_corot", "ms/frame", "median_ms", "<=", 9),
    ("scene_b_nh", "ms/frame", "median_ms", "<=", 60),
    ("scene_b_nh", "times the reference", "speedup", ">=", 15),
    ("scene_b_corot", "ms/frame", "median_ms", "<=", 100),
    ("scene_b_corot", "times the reference", "speedup", ">=", 15),
    ("cloth_c", "ms/frame", "median_ms", "<=", 5),
    ("cloth_14k", "ms/frame", "median_ms", "<=", 40),
    ("solve", "times its floor", "ratio_to_floor", "<=", 2),
    ("solve", "ms", "median_ms", "<=", 5),
    ("factor", "ms", "median_ms", "<=", 1200),
    ("kernels", "ns per SVD", "median_ns", "<=", 90),
    ("scene_b_nh", "two threads over one", "extra.two_threads_over_one", ">=", 1.6),
    ("scene_b_corot", "two threads over one", "extra.two_threads_over_one", ">=", 1.6),
    ("lbfgs", "times streaming 4m vectors", "ratio_to_floor", "<=", 1.5),
    ("lbfgs", "% of a frame of scene B", "extra.percent_of_frame", "", None),
    ("scene_b_nh", "MB at most", "peak_mb", "<=", 400),
    ("frames_a", "p99.9 over median", "extra.p999_over_median", "<=", 2),
    ("xpbd_a", "ms per iteration", "median_ms", "<=", 0.4),
    ("xpbd_b", "ms per iteration", "median_ms", "<=", 5),
    ("xpbd_b", "ns per constraint", "median_ns", "", None),
    ("admm_a_nh", "ms/frame", "median_ms", "<=", 20),
    ("contact_detect", "ms on one core", "median_ms", "<=", 8),
    ("damping_a_quasi_newton", "added by strain-rate damping", "extra.added_part", "<=", 0.6),
    ("damping_a_admm", "added by strain-rate damping", "extra.added_part", "<=", 0.6),
    ("contact_apart_bars", "added by contact of bodies that stay apart", "extra.added_part_of_minima", "<=", 0.03),
    ("contact_apart_twist", "added by contact of a bar that is twisted", "extra.added_part_of_minima", "", None),
    ("contact_obstacle_plane", "added by contact of 500 vertices", "extra.added_part", "<=", 0.3),
    ("contact_obstacle_frames", "p99.9 over median", "extra.p999_over_median", "<=", 2),
    ("contact_stack", "p99.9 over median", "extra.p999_over_median", "<=", 2),
    ("contact_pile", "p99.9 over median", "extra.p999_over_median", "<=", 2),
    ("contact_obstacle_sphere", "added by contact of 500 vertices", "extra.added_part", "<=", 0.3),
    ("contact_obstacle_height_field", "added by contact of 500 vertices", "extra.added_part", "", None),
    ("scene_a_two_level", "5 iterations over 10 of the paper's", "extra.time_over_paper", "<=", 0.6),
    ("scene_b_two_level", "5 iterations over 10 of the paper's", "extra.time_over_paper", "<=", 0.6),
    ("viewer_16", "CPU time per frame with 16 watchers over that with none", "extra.cpu_ratio", "<=", 1.05),
    ("viewer_drag", "frames per second while a handle is dragged", "extra.frames_per_second", ">=", 60),
    ("viewer_drag", "frames from a move of the mouse to the picture, 99 %", "extra.latency_frames_p99", "<=", 2),
    ("viewer_drag_realtime", "the same in real time", "extra.latency_frames_p99", "<=", 2),
] + [("times." + name, "marks of time missed", "extra.marks_missed", "<=", 0)
     for name in ("E10", "E14", "E17", "two_level.budget", "two_level.iterations", "two_level.scene_a")]
CASES = ["scene_a_nh", "scene_a_corot", "scene_b_nh", "scene_b_corot", "scene_b_spline", "cloth_c", "cloth_14k", "newton_a",
         "frames_a", "solve", "factor", "solve.double", "factor.double", "lbfgs", "admm_a_nh", "xpbd_a", "xpbd_b", "damping_a_quasi_newton",
         "damping_a_admm", "contact_apart_bars", "contact_apart_twist", "contact_obstacle_plane", "contact_obstacle_sphere", "contact_obstacle_height_field", "scene_a_two_level", "scene_b_two_level",
         "contact_detect"]


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def look_up(case, path):
    for key in path.split("."):
        case = None if case is None else case.get(key)
    return case


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def tables(document):
    cases = {}
    for case in document["cases"]:
        cases.setdefault(case["name"], case)
    run = (f"{document['machine']}; {document['compiler']} `{document['flags']}`; commit {document['commit']}; "
           f"{document['date']}; load before the run {number(document.get('load'))}.\n\n")
    run += table(["read", "threads", "GB/s"], [[f"{r['bytes'] / 1e6:.0f} MB", str(r["threads"]), number(r["gb_s"])]
                                               for r in document["bandwidth"]])
    marks = []
    for name, quantity, path, relation, mark in MARKS:
        value = look_up(cases.get(name), path)
        met = value is not None and mark is not None and (value <= mark if relation == "<=" else value >= mark)
        verdict = "" if mark is None or value is None else "yes" if met else "**no**"
        marks.append([name, quantity, f"{relation} {number(mark)}" if mark is not None else "report", number(value), verdict])
    fields = ["median_ms", "min_ms", "p99_ms", "floor_ms", "ratio_to_floor", "reference_ms", "speedup", "peak_mb"]
    timed = [[n, str(cases[n]["threads"])] + [number(cases[n][f]) for f in fields] for n in CASES if n in cases]
    kernels = [[c["name"], str(c["threads"]), number(c["median_ns"]), number(c["extra"]["floor_ns"]),
                number(c["ratio_to_floor"]), number(c["extra"].get("reference_ns")), number(c["speedup"])]
               for c in document["cases"] if c["name"].startswith("kernels")]
    frame = ["local_ms", "line_search_ms", "global_ms", "other_ms", "evaluations", "factor_mb", "working_set_mb"]
    phases = [[n] + [number(cases[n]["extra"].get(f)) for f in frame] for n in CASES if n in cases and "local_ms" in cases[n]["extra"]]
    sizes = ["vertices", "tets", "local_ms", "global_ms", "analyse_ms", "factor_ms", "factor_mb", "solve_ms", "cg_ms",
             "cg_iterations"]
    scaling = [[number(c["extra"]["vertices"]), number(c["extra"]["tets"]), number(c["median_ms"])]
               + [number(c["extra"][f]) for f in sizes[2:]] + [number(c["peak_mb"])]
               for c in document["cases"] if c["name"].startswith("scaling")]
    out = {"run": run,
           "marks": table(["case", "quantity", "mark", "measured", "met"], marks),
           "cases": table(["case", "threads", "median ms", "min", "p99", "floor ms", "times floor", "reference ms", "speed-up",
                           "peak MB"], timed),
           "kernels": table(["kernel", "threads", "ns", "floor ns", "times floor", "reference ns", "speed-up"], kernels),
           "phases": table(["case", "local ms", "line search ms", "global ms", "other ms", "evaluations", "factor MB",
                            "working set MB"], phases)}
    if scaling:
        out["scaling"] = table(["vertices", "tets", "ms/frame", "local ms", "global ms", "analyse ms", "factor ms", "factor MB",
                                "one solve ms", "one solve by CG ms", "CG iterations", "peak MB"], scaling)
    return out


def main():
    document = json.loads(Path(sys.argv[1]).read_text())
    default = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
    page = Path(sys.argv[2]) if len(sys.argv) > 2 else default
    text = page.read_text()
    for name, content in tables(document).items():
        pattern = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.S)
        text = pattern.sub(lambda m, c=content: m.group(1) + c + "\n" + m.group(2), text)
    page.write_text(text)


if __name__ == "__main__":
    main()
