#!/usr/bin/env python3
"""Would a test notice? Faults made by hand (a sign, a factor, a missing guard, a dropped term, a stale cache), built one by one into a copy of the
tree, with the tests of their layer; and NaN where experiments measure, which must miss. What no test notices is printed as a survivor. `./test mutants` runs it; --check only looks whether every
fault still finds its place in the source.

    scripts/mutants.py [--check] [--only TEXT] [--from N] [--to N] [--jobs N]
"""
import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Tests that run for a fault in a folder, in this order, until one fails.
LAYERS = {
    "integrators": ["integrators", "simulation", "contract"],
    "solvers": ["solvers", "contact", "simulation", "contract"],
    "problem": ["problem", "contact", "solvers", "simulation", "contract"],
    "model": ["model", "problem", "contract"],
    "potentials": ["potentials", "contract"],
    "linear": ["linear", "solvers"],
    "contact": ["contact", "scene", "contract", "solvers"],
    "simulation": ["simulation", "scene", "contract"],
}

# (file below src, what stands there, what is put in its place[, why no test can notice])
FAULTS = [
    # ---- integrators
    ("integrators/backward_euler.cpp", "{{{1, h, {1, StageArray::x_n}", "{{{0, h, {1, StageArray::x_n}"),
    ("integrators/staged_integrator.cpp", "stepper.prescribe(now.time + h, next.q, next.v);", ""),
    ("integrators/implicit_midpoint.cpp", "{2, StageArray::x_stage, -1, StageArray::x_n}", "{1, StageArray::x_stage}"),
    ("integrators/implicit_midpoint.cpp", "{{{0.5, h / 2,", "{{{0, h / 2,"),
    ("integrators/trapezoidal.cpp", "tau, StageArray::a_n", "0.9 * tau, StageArray::a_n"),
    ("integrators/staged_integrator.cpp", "keep(\"force.a\", internal_), ", ""),
    ("integrators/tr_bdf2.cpp", "1 / (gamma * (2 - gamma))", "1 / (gamma * (2 + gamma))"),
    ("integrators/tr_bdf2.cpp", "two * h,", "one * h * 1.0001,"),
    ("integrators/staged_integrator.cpp", "if (unusable(solved)) return status;", ""),
    ("integrators/staged_integrator.cpp", "|| unusable(solved)) status = solved;", ") status = solved;"),
    ("integrators/staged_integrator.cpp", "*q == now.q && *v == now.v", "*q == now.q"),
    ("integrators/staged_integrator.cpp", "*q == now.q && *v == now.v", "*v == now.v"),
    ("integrators/staged_integrator.cpp", "/ stage_.tau - external_[i];", "/ stage_.tau;"),
    ("integrators/bdf2.cpp", "-1.0 / 3, StageArray::v_before", "1.0 / 3, StageArray::v_before"),
    ("integrators/bdf2.cpp", "2 * h / 3,", "h,"),
    ("integrators/symplectic_euler.cpp", "h * next.v[i]", "h * now.v[i]"),
    ("integrators/runge_kutta4.cpp", "{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}", "{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 3}"),
    ("integrators/staged_integrator.cpp", "stage.linearised ? now.q : stage_.target", "stage_.target"),
    # ---- solvers: descent, line search, stop
    ("solvers/descent.cpp", "if (contested && iterations_.go_on()) contest();", ""),
    ("solvers/descent.cpp", "descent_.guard_.apply(problem_, stage_, descent_.anchor_, y_, w_, report_);", ""),
    ("solvers/descent.cpp", "std::min(1.0, problem_.space().island(c).size / body.length)", "1"),
    ("solvers/descent.cpp", "for (Descending& body : w_.bodies) body.note_value();", ""),
    ("solvers/line_search.cpp", "value <= body.value + search_.gamma * body.gain + body.round_off", "value <= body.value + 1e9"),
    ("solvers/line_search.cpp", "std::clamp(-0.5 * body.gain / rise, 0.1, 0.5)", "std::clamp(0.5 * body.gain / rise, 0.1, 0.5)"),
    ("solvers/iterations.cpp", "/ problem_.space().island(component).size;", ";"),
    ("solvers/iterations.cpp", "std::max(0.0, decrement) / problem_.space().island(component).mass", "std::max(0.0, decrement)"),
    ("solvers/iterations.cpp", "rule_.cancel->load()", "false"),
    ("solvers/iterations.cpp", "if (report_.iterations >= rule_.iterations)", "if (report_.iterations > rule_.iterations)"),
    ("solvers/energy_guard.cpp", "- stage.tau * external_[i] * v);", ");"),
    ("solvers/energy_guard.cpp", "part.value() <= rigid_value_[c] + slack;", "true;"),
    ("solvers/rigid_start.cpp", "if (!problem.blocks().point_vertices().empty()) improve(problem, stage, moved_);", ""),
    ("solvers/rigid_start.cpp", "if (!(best_value_[c] < value_[c])) continue;", ""),
    # ---- solvers: preconditioners
    ("solvers/lbfgs.cpp", "zeta_[c * pairs + i] -= dot / newest(i).rho[c];", "zeta_[c * pairs + i] += dot / newest(i).rho[c];"),
    ("solvers/lbfgs.cpp", "offer.rho[c] = takes_part ? dots[0] : 0;", "offer.rho[c] = dots[0];"),
    ("solvers/constant_hessian.cpp", "slots_[i].tau == problem.stage().tau && slots_[i].stiffness == stiffness", "slots_[i].tau == problem.stage().tau"),
    ("solvers/constant_hessian.cpp", "slot.structure == problem.revision().structure", "slot.structure != 0"),
    ("solvers/constant_hessian.cpp", "slots_[0].age <= slots_[1].age ? 0 : 1", "0"),
    ("solvers/constant_hessian.cpp", "set_mean_steps(problem, d);\n}", "}"),
    ("solvers/constant_hessian.cpp", "kept != lagged_.end() && held_version_ == version()", "kept != lagged_.end()"),
    ("solvers/constant_hessian.cpp", "i == j ? 1 / lagged_[i].stiffness : 0", "0"),
    ("solvers/point_hessian.cpp", "structure_ != problem.revision().structure || ", ""),
    ("solvers/point_hessian.cpp", "set_mean_steps(problem, d);\n}", "}"),
    ("solvers/contact_rows.cpp", "body.touched[place] = remembered;", "body.touched[place] = 1;"),
    ("solvers/contact_smoother.cpp", "for (const std::size_t k : {0, 2, 5}) whole[k] += a.diagonal[static_cast<std::size_t>(points[i].vertex)];", ""),
    ("solvers/stiffness_fit.cpp", "scale_[i] = kept[2 * i] = one.scale, kept[2 * i + 1] = one.mean;", "scale_[i] = one.scale;"),
    ("solvers/chebyshev.cpp", "omega_ = omega_ == 1 ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega_);", "omega_ = 4 / (4 - rho2 * omega_);"),
    ("solvers/chebyshev.cpp", "if (waiting_ > 0) --waiting_;", ""),
    # ---- solvers: ADMM, PD, XPBD
    ("solvers/admm.cpp", "rescues += 1;", ""),
    ("solvers/admm.cpp", "    advance_start(problem, y);\n    begin(problem, y);", "    begin(problem, y);"),
    ("solvers/admm.cpp", "anderson_.clear();\n    accelerated_ = false;\n    return evaluate", "return evaluate"),
    ("solvers/admm.cpp", "2.0 * z + load(&v_[at + i * lanes])", "1.0 * z"),
    ("solvers/admm_weights.cpp", "if (!all) weigh_what_has_no_stiffness(problem, weights);", ""),
    ("solvers/anderson.cpp", "next_ = (next_ + 1) % window_;", "next_ = 0;"),
    ("solvers/projective_dynamics.cpp", ".potential += part_energy_[part];", ".potential = part_energy_[part];"),
    ("solvers/constraint_term.cpp", "d[j] -= alpha * before[j];", ""),
    ("solvers/constraint_term.cpp", "if (form.one_sided) d[j] = max(d[j], -before[j]);", ""),
    ("solvers/constraint_term.cpp", "std::fill(form.lambda.begin(), form.lambda.end(), 0.0);", ""),
    ("solvers/constraint_solver.cpp", "if (revision_ != problem.revision().energy || x_.size() != 4 * mass.size()) {", "if (x_.size() != 4 * mass.size()) {"),
    ("solvers/colouring.cpp", "if (std::any_of(ids.begin(), ids.end(), [&](int v) { return mark_[v] == number; })) return false;", ""),
    # ---- objective
    ("problem/assembly.cpp", "g[k] += m * gap;", "g[k] += 1.001 * m * gap;"),
    ("problem/assembly.cpp", "gradient[3 * v + k] = pinned ? 0 : g[k];", "gradient[3 * v + k] = g[k];"),
    ("problem/partitioned_elements.cpp", "  guesses_cold_ = true;\n", ""),
    ("problem/constant_matrix.cpp", "  std::fill(scale_.begin(), scale_.end(), 1.0);\n", ""),
    ("problem/dynamic_system.cpp", "set_time(stage.time);", ""),
    ("problem/partitioned_elements.cpp", "if (packed_of_[t] == stamp.value()) continue;", "if (packed_of_[t] != 0) continue;"),
    ("problem/dynamic_system.cpp", "    space_.number_free_rows();\n    problem_.linearisation_.forget();", "    space_.number_free_rows();"),
    ("problem/assembly.cpp", "+ k] += scale * gradient[k];", "+ k] -= scale * gradient[k];"),
    ("problem/dynamic_system.cpp", "force.per_mass ? scale : scale / model_.mass[v]", "scale"),
    ("problem/linearisation.cpp", "diagonal[4 * k] += weight * mass[v];", "diagonal[4 * k] += mass[v];"),
    ("problem/linearisation.cpp", "diagonal[3 * i + j] += point.hessian[k];", ""),
    ("problem/revision.cpp", "for (const Pin& pin : model.pins) stamp.add(std::span<const int>(pin.vertices));", ""),
    ("problem/revision.cpp", "stamp.add(terms.geometry), stamp.add(terms.stiffness);", "stamp.add(terms.geometry);"),
    ("problem/revision.cpp", "for (const double g : model.gravity) stamp.add(g);", ""),
    ("problem/element_sample.cpp", "groups.factor.push_back(factor);", "groups.factor.push_back(1);"),
    # ---- model
    ("model/packed_term.cpp", "if constexpr (TranslationFree) force[0][k] = total;", "if constexpr (TranslationFree) force[0][k] = Pack{};"),
    ("model/packed_term.cpp", "measure_.push_back(i < members.size() ?", "measure_.push_back(true ?"),
    ("model/elements.cpp", "out.add(tets.subspan(t, 4), c, det / 6);", "out.add(tets.subspan(t, 4), c, det / 3);"),
    ("model/model.cpp", "if (potential.kind() != t.elements.kind())", "if (false)"),
    ("model/motion.cpp", "turn(n, amount, v, v);", ""),
    ("model/motion.cpp", "if (time < start || time > stop) return 0;\n  if (!keyframes.empty()) {\n    if", "if (!keyframes.empty()) {\n    if"),
    ("model/coefficients.cpp", "const double* from = element(same ? 0 : slot_element[slot]);", "const double* from = element(same ? 0 : static_cast<int>(slot));"),
    # ---- potentials and contact
    ("potentials/dissipation.cpp", "matrix[i] /= tau;", "matrix[i] *= 1;"),
    ("potentials/dissipation.cpp", "if (!second_order_) return;", "return;"),
    ("potentials/evaluate.cpp", "if (derivatives >= 1) view.rows == 3", "if (derivatives == 1) view.rows == 3"),
    ("potentials/spring.cpp", "if (block.filter) across = max(across, 0.0);", ""),
    ("potentials/spring.cpp", "select(abs(rest) > 0.0, k * (gap / max(length, tiny)), k)", "k * (gap / max(length, tiny))"),
    ("potentials/bending/bending.cpp", "-c01 - c03, -c02 - c04", "-c01 - c04, -c02 - c03"),
    ("potentials/bending/dihedral.cpp", "out -= 0.5 * inverse * inverse * nm;", "out -= inverse * inverse * nm;"),
    ("potentials/bending/dihedral.cpp", "gap - select(gap > std::numbers::pi, turn, zero)", "gap"),
    ("potentials/bending/dihedral.cpp", "if (!block.filter) add_second", "add_second"),
    ("potentials/bending/dihedral.cpp", "shape.edge * shape.edge / shape.areas", "shape.edge / shape.areas"),
    ("potentials/bending/mean_curvature.cpp", "return area / 4;", "return area / 3;"),
    ("potentials/bending/mean_curvature.cpp", "norm(sum) > flat * parts ? sum : Vec3{}", "sum"),
    ("potentials/bending/mean_curvature.cpp", "std::erase_if(out, [](const auto& one) { return !one.second.inner(); });", ""),
    ("potentials/spring.cpp", "select(rest * determinant(z) >= 0.0", "select(determinant(z) >= 0.0"),
    ("potentials/added/example.cpp", "(leave & (slope[e] <= steepest))", "leave"),
    ("potentials/enclosed_volume.cpp", "{0, a[2], -a[1], -a[2], 0, a[0], a[1], -a[0], 0}", "{0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0}"),
    ("potentials/fibre.cpp", "kappa * gap * d[i / 3] * w[i % 3]", "kappa * gap * d[i % 3] * w[i / 3]"),
    ("potentials/pin.cpp", "if (targets_.motion.moves() && time != time_) move(time);", "if (time_ == 0) move(time);"),
    ("potentials/prox.cpp", "alpha = select(taken, 1.0, 0.5 * alpha);", "alpha = select(taken, 1.0, alpha);"),
    ("potentials/isotropic.h", "const Pack x = min(max(load(block.s + (p * 3 + i) * lanes), low), high), e = x - 1.0;", "const Pack x = load(block.s + (p * 3 + i) * lanes), e = x - 1.0;"),
    ("contact/obstacles/obstacle_potential.cpp", "const Pack depth = min(at.value, 0.0);\n      add(block.psi", "const Pack depth = at.value;\n      add(block.psi"),
    ("contact/obstacles/plane.cpp", "for (double& v : n) v /= length;", ""),
    ("contact/broad_phase/float_boxes.h", "const Float4 margin = size * FLT_EPSILON + FLT_MIN;", "const Float4 margin = 0 * size;"),
    ("contact/narrow_phase/closest_points.h", "s = clamped(fma(t, uv, -dot(w, u)) * inverse_or_zero(dot(u, u)));", ""),
    ("contact/narrow_phase/closest_points.h", "best.offer(ap, minus_ab, ac, from_c, one - from_c);", ""),
    ("contact/narrow_phase/pair_search.cpp", "(pack.ends[1] != b) &", ""),
    ("contact/narrow_phase/pair_search.cpp", "if ((noise >> l & 1) != 0) {", "if (false) {"),
    ("contact/narrow_phase/pair_search.cpp", "std::sort(first, first + range.count);", ""),
    ("contact/broad_phase/surface_tree.cpp", "finite &= std::abs(p[k]) <= 1e15;", ""),
    ("contact/broad_phase/surface_tree.cpp", "!wanted || wanted(std::min(a, b), std::max(a, b))", "true"),
    ("contact/broad_phase/surface_tree.cpp", "count = (count + lanes - 1) / lanes;", "count = count / lanes;"),
    ("contact/narrow_phase/intersections.cpp", "orientation(t[0], t[1], t[2], to) >= 0) return false;", "orientation(t[0], t[1], t[2], to) > 0) return false;"),
    ("contact/narrow_phase/pair_energy.cpp", "sum.add(difference, squared, weight, -chosen * load(c + (3 + e) * lanes));", ""),
    ("contact/narrow_phase/pair_energy.cpp", "weight[e] = t - 1.0, weight[other] = -t;", "weight[e] = -t, weight[other] = t - 1.0;"),
    ("contact/feasible_region/feasible_region.cpp", "left = std::min(left, inside * std::max(0.0, to_plane / -moves[i]));", "left = std::min(left, 1.0);"),
    ("contact/feasible_region/feasible_region.cpp", "if (!(ss + 2 * os > room)) return 1;", "return 1;"),
    ("solvers/interface_rows.cpp", "row.gradient.push_back(value / total);", "row.gradient.push_back(value);"),
    ("problem/components.cpp", "if (first == second) return false;", "return false;"),
    ("solvers/contact_step.cpp", "limited = problem.limit_step(y.data(), trial_.data(), part_, alike);", ""),
    ("solvers/local/contact_step.cpp", "for (const PairStiffness& pair : pairs) add_stiffness(problem, pair, p_, kp_);", ""),
    ("solvers/constraint_term.cpp", "if (form.slip != nullptr)\n", "if (false)\n"),
    ("solvers/constraint_solver.cpp", "problem.limit_step(y.data(), wanted_.data(), part_);", "{};"),
    ("problem/dynamic_system.cpp", "problem_.limit_step(y.data(), outside_.data(), fraction_);", ""),
    ("contact/narrow_phase/pair_energy.cpp", "const Mask pushes = value > nothing", "const Mask pushes = value < nothing"),
    ("contact/narrow_phase/pair_energy.cpp", "lanes_in = inside & (across < 0.0)", "lanes_in = inside & (across > 0.0)"),
    ("problem/inequalities.cpp", "gradient[at + k] = stiffness(v) * (y[at + k] - to[k]);", "gradient[at + k] = 0;"),
    ("potentials/prox.cpp", "return Prox::nearest;", "return Prox::coordinates;"),
    ("contact/friction/friction.cpp", "if (force <= contact.limit) return true;", "return true;"),
    ("contact/friction/friction.cpp", "contact.limit = mu * force;", "contact.limit = force;"),
    ("contact/friction/friction.cpp", "surface.potential->carry(had ? (*kept)[0] : from, stage.time, contact.anchor.data());", ""),
    ("contact/friction/friction.cpp", " - turn * (u[i] * u[j])", ""),
    ("contact/friction/friction.cpp", "if (had) std::copy_n(&(*kept)[next + 1], 3, contact.anchor.begin());\n        else", ""),
    ("contact/islands/separation_proof.cpp", "norm(one.moved - other.moved) + radius", "radius"),
    ("contact/islands/separation_proof.cpp", "own.least * spare - (1 - own.least) * radius_", "spare"),
    ("solvers/contact_smoother.cpp", "sum[of_pairs_.column[s]] - w * z[i]", "sum[of_pairs_.column[s]]"),
    ("contact/islands/initial_overlaps.cpp", "change[b] - stage.tau * g : change[b]", "change[b] : change[b]"),
    ("contact/body_contact.cpp", "join(near_.pairs, next_.pairs), join(near_.folded, next_.folded);", "return true;"),
    ("solvers/rigid_start.cpp", "if (both >= least_cosine * own) return;", "return;"),
    ("contact/restitution.cpp", "if (bounce.phase == pressing && now >= 0) bounce.phase = leaving;", ""),
    ("contact/restitution.cpp", "bodies_[b].mass[i] / tau_", "bodies_[b].mass[i]"),
    ("contact/restitution.cpp", "std::copy_n(numbers, bounce_numbers, n);", ""),
    ("solvers/admm.cpp", "prox(local.rubs ? local.rubbing : problem.elements().kernels(t)", "prox(problem.elements().kernels(t)"),
    ("problem/energy_blocks.cpp", "  for (auto& contact : contacts_) contact->add_points(y, points);\n", ""),
    ("contact/obstacles/obstacle_potential.cpp", "if (filter) keep_negative(at.normal, at.curvature);", ""),
    ("contact/obstacles/placement.cpp", "out[i] = turn[i] * d[0] + turn[3 + i] * d[1] + turn[6 + i] * d[2];", "out[i] = turn[3 * i] * d[0] + turn[3 * i + 1] * d[1] + turn[3 * i + 2] * d[2];"),
    ("contact/obstacles/vertex_sweeps.cpp", "if (place == Place::inside && dot(normal, side) < 0) return void(place = Place::stopped);", ""),
    ("contact/obstacles/obstacle_culling.cpp", "if (!later && lasted_ >= 0 && !arrived(x, pool)) {", "if (lasted_ >= 0 && !arrived(x, pool)) {"),
    ("contact/obstacles/mesh_region.cpp", "return squares < reach * reach;", "return reach > 0.0;"),
    # ---- linear
    ("linear/sparse_matrix.cpp", "sum[c] + diagonal * xi[c]", "diagonal * xi[c]"),
    ("linear/multifrontal.cpp", "value[entry.transposed ? b_ * j + i : b_ * i + j]", "value[b_ * i + j]"),
    ("linear/ordering.cpp", "first += static_cast<int>(reached.size());", ""),
    # ---- simulation
    ("simulation/apply_edit.cpp", "for (const Edit& edit : s_.parts_->standing) std::visit(InModel{next.model}, edit);", ""),
    ("simulation/apply_edit.cpp", "std::swap(s_.parts_->model, next);\n      s_.parts_->system->update();\n      throw;", "throw;"),
    ("simulation/apply_edit.cpp", "next.options.stop.cancel = s_.parts_->options.stop.cancel;", ""),
    ("simulation/builder_terms.cpp", "if (model.terms.size() > before) note(", "if (false) note("),
    ("simulation/builder_terms.cpp", "static_cast<int>(to.settings.size())", "0"),
    ("simulation/builder_actors.cpp", "for (double& x : force.vector) x /= mass;", ""),
    ("simulation/builder.cpp", "for (const Drag& drag : parts_->drags) out->post(drag);", ""),
    ("simulation/step.cpp", "  s.commit();\n", "  std::swap(s.state, s.next);\n"),
    ("simulation/state.cpp", "if (entry.stamp != stamp) entry.values.clear();", ""),
]

# NaN made in one place: (file, what stands there, what is put in its place, experiments that must miss)
NANS = [
    ("potentials/damping/drag.cpp", "return 0.5 * c[0] *", "return constant<T>(std::nan(\"\")) * c[0] *", ["E42"]),
    ("potentials/materials/neo_hookean.cpp", "p[i] = c[0] * z[i]", "p[i] = std::nan(\"\") * z[i]", ["E4", "E74", "E85"]),
    ("integrators/tr_bdf2.cpp", "scale = 1 / (gamma", "scale = std::nan(\"\") / (gamma", ["E26", "E27", "E28", "E80"]),
]


def place(fault, root):
    """The file's text with the fault in it, or None when its place is not there exactly once."""
    file, old, new = fault[:3]
    path = root / "src" / file
    text = path.read_text()
    return None if text.count(old) != 1 else (path, text, text.replace(old, new))


def copy_tree(tree):
    """What git knows or would add; files that are the same are left alone, so that little is built again."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout
    for folder in ("include", "src", "tests"):
        for copy in (tree / folder).rglob("*"):
            if copy.is_file() and not (ROOT / copy.relative_to(tree)).is_file():
                copy.unlink()  # what was renamed would be built twice
    for name in filter(None, names.split("\0")):
        source, copy = ROOT / name, tree / name
        if not source.is_file() or (copy.is_file() and copy.read_bytes() == source.read_bytes()):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)


class Builder:
    def __init__(self, tree, jobs):
        self.tree, self.jobs, self.build = tree, jobs, tree / "build/mutants"

    def configure(self):
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"], check=True,
                       stdout=subprocess.DEVNULL)

    def run(self, layer):
        """How the tests of a layer end: passed, failed with the test's name, does not build, hangs."""
        built = subprocess.run(["cmake", "--build", self.build, "-j", str(self.jobs), "--target", f"test_{layer}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if built.returncode != 0:
            return "does not build"
        try:
            ended = subprocess.run([self.build / f"tests/test_{layer}", "--gtest_filter=-*Slow.*:*Slow/*", "--gtest_brief=1",
                                    "--gtest_fail_fast"], timeout=600, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   errors="replace")
        except subprocess.TimeoutExpired:
            return "hangs"
        if ended.returncode == 0:
            return "passed"
        name = next((line.split()[3] for line in ended.stdout.splitlines() if line.startswith("[  FAILED  ]")), "a crash")
        return f"failed, {name}"

    def verdict(self, experiment):
        """How `reproduce` ends: 0 when the experiment passes, 1 when it misses."""
        subprocess.run(["cmake", "--build", self.build, "-j", str(self.jobs), "--target", "resilin_cli"], stdout=subprocess.DEVNULL,
                       check=True)
        return subprocess.run([self.build / "apps/cli/resilin", "reproduce", experiment, "--quick", "--no-output"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600).returncode


def let_through(builder, faults):
    """Experiments that a NaN does not make miss, each with the file that makes it."""
    out = [(experiment, "no fault at all") for fault in faults for experiment in fault[3] if builder.verdict(experiment) != 0]
    for fault in faults:
        path, text, changed = place(fault, builder.tree)
        try:
            path.write_text(changed)
            passed = [experiment for experiment in fault[3] if builder.verdict(experiment) != 1]
        finally:
            path.write_text(text)
        out += [(experiment, fault[0]) for experiment in passed]
        print(f"NaN in {fault[0]}: {', '.join(fault[3])}" + (f"; PASSED by {', '.join(passed)}" if passed else " miss"), flush=True)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only look whether every fault finds its place")
    parser.add_argument("--only", default="", help="faults with this text in their file or place")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first fault to run, counted from 1")
    parser.add_argument("--to", type=int, default=len(FAULTS), dest="last", help="the last fault to run")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    chosen = FAULTS[max(arguments.first - 1, 0):arguments.last]
    faults = [f for f in chosen if arguments.only in f[0] or arguments.only in f[1]]
    nans = [f for f in NANS if arguments.only in f[0] or arguments.only in f[1]] if arguments.last == len(FAULTS) else []
    lost = [f for f in faults + nans if place(f, ROOT) is None]
    for file, old, *_ in lost:
        print(f"{file}: not there exactly once: {old!r}")
    if arguments.check or lost:
        print(f"{len(faults)} faults and {len(nans)} of NaN, {len(lost)} without a place")
        return 1 if lost else 0

    tree = ROOT / "build/mutants"
    copy_tree(tree)
    builder = Builder(tree, arguments.jobs)
    builder.configure()
    passed = let_through(builder, nans)
    for layer in sorted({layer for f in faults for layer in LAYERS[f[0].split("/")[0]]}):
        if (end := builder.run(layer)) != "passed":
            print(f"without any fault the tests of {layer}: {end}")
            return 1
    survivors, broken = [], 0
    for number, fault in enumerate(faults, 1):
        path, text, changed = place(fault, tree)
        start = time.monotonic()
        try:
            path.write_text(changed)
            noticed = next((f"{layer} {end}" for layer in LAYERS[fault[0].split("/")[0]] if (end := builder.run(layer)) != "passed"), "")
        finally:
            path.write_text(text)
        if not noticed:
            survivors.append(fault)
        broken += noticed.endswith("does not build")  # the compiler is no test
        print(f"[{FAULTS.index(fault) + 1}, {number}/{len(faults)}] {fault[0]}: {noticed or 'SURVIVED'} ({time.monotonic() - start:.0f} s)",
              flush=True)
    print(f"\n{len(survivors)} of {len(faults)} survive" + (f", {broken} do not build" if broken else ""))
    for file, old, new, *why in survivors:
        print(f"  {file}\n    {old!r}\n    {new!r}\n    {why[0] if why else 'NOT EXPLAINED'}")
    return 1 if passed or broken or any(len(fault) < 4 for fault in survivors) else 0


if __name__ == "__main__":
    sys.exit(main())
