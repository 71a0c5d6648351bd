#!/usr/bin/env python3
"""Would a test notice? Faults made by hand (a sign, a factor, a missing guard, a dropped term, a stale cache) are
built one by one into a copy of the tree, with the tests of their layers; and NaN where experiments measure, which
must miss. Faults that no test notices are printed as survivors. `./test mutants` runs it; --check only looks
whether every fault still finds its place in the source.

    scripts/mutants.py [--check] [--only TEXT] [--from N] [--to N] [--jobs N] [--nearest N] [--lock FILE]
"""
import argparse
import contextlib
import fcntl
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Tests that run for a fault in a folder, in this order, until one fails. The longest folder that fits counts.
LAYERS = {
    "integrators": ["integrators", "simulation", "contract"],
    "solvers": ["solvers", "contact", "simulation", "contract"],
    "solvers/local": ["solvers", "contact", "contract"],
    "solvers/precondition": ["solvers", "contact", "contract"],
    "problem": ["problem", "contact", "solvers", "simulation", "contract"],
    "problem/blocks": ["problem", "contact", "contract", "solvers", "simulation"],
    "model": ["model", "problem", "contract"],
    "potentials": ["potentials", "contract"],
    "linear": ["linear", "solvers"],
    "contact": ["contact", "scene", "contract", "solvers"],
    "contact/obstacles": ["contact", "problem", "contract", "solvers"],
    "reduction": ["reduction", "simulation", "contract"],
    "simulation": ["simulation", "scene", "contract"],
}

# By what is looked at: (file below src, what stands there, what is put in its place[, why no test can notice])
GROUPS = {
    "integrators": [
        ("integrators/backward_euler.cpp", "{{{1, h, {1, StageArray::x_n}", "{{{0, h, {1, StageArray::x_n}"),
        ("integrators/staged_integrator.cpp", "stepper.prescribe(now.time + h, next.q, next.v);", ""),
        ("integrators/implicit_midpoint.cpp", "{2, StageArray::x_stage, -1, StageArray::x_n}",
         "{1, StageArray::x_stage}"),
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
        ("integrators/runge_kutta4.cpp", "{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}",
         "{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 3}"),
        ("integrators/staged_integrator.cpp", "stage.linearised ? now.q : stage_.target", "stage_.target"),
    ],
    "descent": [
        ("solvers/descent/descent.cpp", "if (contested && iterations_.go_on()) contest();", ""),
        ("solvers/descent/descent.cpp",
         "descent_.guard_.apply(problem_, descent_.anchor_, y_, w_, report_);", ""),
        ("solvers/descent/descent.cpp", "std::min(1.0, problem_.space().island(c).size / body.length)", "1"),
        ("solvers/descent/descent.cpp", "for (Descending& body : w_.bodies) body.note_value();", ""),
        ("solvers/descent/line_search.cpp", "value <= body.value + search_.gamma * body.gain + body.round_off",
         "value <= body.value + 1e9"),
        ("solvers/descent/line_search.cpp", "std::clamp(-0.5 * body.gain / rise, 0.1, 0.5)",
         "std::clamp(0.5 * body.gain / rise, 0.1, 0.5)"),
        ("solvers/progress/iterations.cpp", "/ problem_.space().island(component).size;", ";"),
        ("solvers/progress/iterations.cpp", "std::max(0.0, decrement) / problem_.space().island(component).mass",
         "std::max(0.0, decrement)"),
        ("solvers/progress/iterations.cpp", "rule_.cancel->load()", "false"),
        ("solvers/progress/iterations.cpp", "if (report_.iterations >= rule_.iterations)",
         "if (report_.iterations > rule_.iterations)"),
        ("solvers/descent/energy_guard.cpp", "- stage.tau * external_[i] * v);", ");"),
        ("solvers/descent/energy_guard.cpp", "part.value() <= rigid_value_[c] + slack;", "true;"),
        ("solvers/descent/rigid_start.cpp",
         "if (!problem.blocks().point_vertices().empty()) improve(problem, moved_);", ""),
        ("solvers/descent/rigid_start.cpp", "if (!(best_value_[c] < value_[c])) continue;", ""),
    ],
    "preconditioners": [
        ("solvers/descent/lbfgs.cpp", "zeta_[c * pairs + i] -= dot / newest(i).rho[c];",
         "zeta_[c * pairs + i] += dot / newest(i).rho[c];"),
        ("solvers/descent/lbfgs.cpp", "offer.rho[c] = takes_part ? dots[0] : 0;", "offer.rho[c] = dots[0];"),
        ("solvers/precondition/factor.cpp", "|| slot.stiffness != stiffness) continue;", ") continue;"),
        ("solvers/precondition/factor.cpp", "planned = slot.structure == structure",
         "planned = slot.structure != 0"),
        ("solvers/precondition/factor.cpp", "slots_[0].age <= slots_[1].age ? 0 : 1", "0"),
        ("solvers/precondition/factor.cpp", "mean_step_.correct(*problem_, d);", ""),
        ("solvers/precondition/low_rank.cpp", "version != 0 && version == version_", "version != 0"),
        ("solvers/precondition/low_rank.cpp", "matrix(j, j) += 1 / row.stiffness;", ""),
        ("solvers/precondition/point_hessian.cpp", "structure_ != problem.revision().structure || ", ""),
        ("solvers/precondition/point_hessian.cpp", "mean_step_.correct(problem, d);", ""),
        ("solvers/precondition/obstacle_level.cpp", "touched_[place] = remembered;", "touched_[place] = 1;"),
        ("solvers/precondition/vertex_smoother.cpp", "for (const std::size_t k : {0, 2, 5}) whole[k] += "
         "a.diagonal[points[i].vertex];", ""),
        ("solvers/precondition/stiffness_fit.cpp",
         "scale_[i] = kept[2 * i] = one.scale, kept[2 * i + 1] = one.mean;", "scale_[i] = one.scale;"),
        ("solvers/chebyshev.cpp", "omega_ = omega_ == 1 ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega_);",
         "omega_ = 4 / (4 - rho2 * omega_);"),
        ("solvers/chebyshev.cpp", "if (waiting_ > 0) --waiting_;", ""),
    ],
    "local": [
        ("solvers/admm.cpp", "rescues += 1;", ""),
        ("solvers/admm.cpp", "    advance_start(problem, y);\n    begin(problem, y);", "    begin(problem, y);"),
        ("solvers/admm.cpp", "anderson_.clear();\n    follows_ = accelerated_ = false;\n    return evaluate",
         "return evaluate"),
        ("solvers/admm.cpp", "2.0 * z + load(&v_[at + i * lanes])", "1.0 * z"),
        ("solvers/local/admm_weights.cpp", "if (!all) weigh_what_has_no_stiffness(problem, weights);", ""),
        ("solvers/local/anderson.cpp", "next_ = (next_ + 1) % window_;", "next_ = 0;"),
        ("solvers/projective_dynamics.cpp", ".potential += part_energy_[part];",
         ".potential = part_energy_[part];"),
        ("solvers/local/constraint_term.cpp", "d[j] -= alpha * before[j];", ""),
        ("solvers/local/constraint_term.cpp", "if (form.one_sided) d[j] = max(d[j], -before[j]);", ""),
        ("solvers/local/constraint_term.cpp", "std::fill(form.lambda.begin(), form.lambda.end(), 0.0);", ""),
        ("solvers/local/constraint_solver.cpp",
         "if (revision_ != problem.revision().energy || x_.size() != 4 * mass.size()) {",
         "if (x_.size() != 4 * mass.size()) {"),
        ("solvers/local/colouring.cpp",
         "if (std::any_of(ids.begin(), ids.end(), [&](int v) { return mark_[v] == number; })) return false;", ""),
    ],
    "problem": [
        ("problem/assembly.cpp", "g[k] += m * gap;", "g[k] += 1.001 * m * gap;"),
        ("problem/assembly.cpp", "gradient[3 * v + k] = pinned ? 0 : g[k];", "gradient[3 * v + k] = g[k];"),
        ("problem/partitioned_elements.cpp", "  guesses_cold_ = true;\n", ""),
        ("problem/constant_matrix.cpp", "  std::fill(scale_.begin(), scale_.end(), 1.0);\n", ""),
        ("problem/dynamic_system.cpp", "set_time(stage.time);", ""),
        ("problem/partitioned_elements.cpp", "if (packed_of_[t] == stamp.value()) continue;",
         "if (packed_of_[t] != 0) continue;"),
        ("problem/dynamic_system.cpp", "    space_.number_free_rows();\n    problem_.linearisation_.forget();",
         "    space_.number_free_rows();"),
        ("problem/assembly.cpp", "+ k] += scale * gradient[k];", "+ k] -= scale * gradient[k];"),
        ("problem/dynamic_system.cpp", "force.per_mass ? scale : scale / model_.mass[v]", "scale"),
        ("problem/linearisation.cpp", "diagonal[4 * k] += weight * mass[v];", "diagonal[4 * k] += mass[v];"),
        ("problem/linearisation.cpp", "diagonal[3 * i + j] += point.hessian[k];", ""),
        ("problem/revision.cpp", "for (const Pin& pin : model.pins) stamp.add(std::span<const int>(pin.vertices));",
         ""),
        ("problem/revision.cpp", "stamp.add(terms.geometry), stamp.add(terms.stiffness);",
         "stamp.add(terms.geometry);"),
        ("problem/revision.cpp", "for (const double g : model.gravity) stamp.add(g);", ""),
        ("problem/element_sample.cpp", "groups.factor.push_back(factor);", "groups.factor.push_back(1);"),
    ],
    "model": [
        ("model/packed_term.cpp", "if constexpr (TranslationFree) force[0][k] = total;",
         "if constexpr (TranslationFree) force[0][k] = Pack{};"),
        ("model/packed_term.cpp", "measure_.push_back(i < members.size() ?", "measure_.push_back(true ?"),
        ("model/elements.cpp", "out.add(tets.subspan(t, 4), c, det / 6);",
         "out.add(tets.subspan(t, 4), c, det / 3);"),
        ("model/model.cpp", "if (potential.kind() != t.elements.kind())", "if (false)"),
        ("model/motion.cpp", "turn(n, amount, v, v);", ""),
        ("model/motion.cpp", "if (time < start || time > stop) return 0;\n  if (!keyframes.empty()) {\n    if",
         "if (!keyframes.empty()) {\n    if"),
        ("model/coefficients.cpp", "const double* from = element(same ? 0 : slot_element[slot]);",
         "const double* from = element(same ? 0 : static_cast<int>(slot));"),
    ],
    "potentials, contact": [
        ("potentials/dissipation.cpp", "matrix[i] /= tau;", "matrix[i] *= 1;"),
        ("potentials/dissipation.cpp", "if (!second_order_) return;", "return;"),
        ("potentials/evaluate.cpp", "if (derivatives >= 1) view.rows == 3", "if (derivatives == 1) view.rows == 3"),
        ("potentials/spring.cpp", "if (block.filter) across = max(across, 0.0);", ""),
        ("potentials/spring.cpp", "select(abs(rest) > 0.0, k * (gap / max(length, tiny)), k)",
         "k * (gap / max(length, tiny))"),
        ("potentials/bending/bending.cpp", "-c01 - c03, -c02 - c04", "-c01 - c04, -c02 - c03"),
        ("potentials/bending/dihedral.cpp", "out -= 0.5 * inverse * inverse * nm;",
         "out -= inverse * inverse * nm;"),
        ("potentials/bending/dihedral.cpp", "gap - select(gap > std::numbers::pi, turn, zero)", "gap"),
        ("potentials/bending/dihedral.cpp", "if (!block.filter) add_second", "add_second"),
        ("potentials/bending/dihedral.cpp", "shape.edge * shape.edge / shape.areas", "shape.edge / shape.areas"),
        ("potentials/bending/mean_curvature.cpp", "return area / 4;", "return area / 3;"),
        ("potentials/bending/mean_curvature.cpp", "norm(sum) > flat * parts ? sum : Vec3{}", "sum"),
        ("potentials/bending/mean_curvature.cpp",
         "std::erase_if(out, [](const auto& one) { return !one.second.inner(); });", ""),
        ("potentials/spring.cpp", "select(rest * determinant(z) >= 0.0", "select(determinant(z) >= 0.0"),
        ("potentials/added/example.cpp", "(leave & (slope[e] <= steepest))", "leave"),
        ("potentials/enclosed_volume.cpp", "{0, a[2], -a[1], -a[2], 0, a[0], a[1], -a[0], 0}",
         "{0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0}"),
        ("potentials/fibre.cpp", "kappa * gap * d[i / 3] * w[i % 3]", "kappa * gap * d[i % 3] * w[i / 3]"),
        ("potentials/pin.cpp", "if (targets_.motion.moves() && time != time_) move(time);",
         "if (time_ == 0) move(time);"),
        ("potentials/prox.cpp", "alpha = select(taken, 1.0, 0.5 * alpha);", "alpha = select(taken, 1.0, alpha);"),
        ("potentials/isotropic.h",
         "const Pack x = min(max(load(block.s + (p * 3 + i) * lanes), low), high), e = x - 1.0;",
         "const Pack x = load(block.s + (p * 3 + i) * lanes), e = x - 1.0;"),
        ("contact/obstacles/obstacle_potential.cpp", "const Pack depth = min(at.value, 0.0);\n      add(block.psi",
         "const Pack depth = at.value;\n      add(block.psi"),
        ("contact/obstacles/plane.cpp", "for (double& v : n) v /= length;", ""),
        ("contact/broad_phase/float_boxes.h", "const Float4 margin = size * FLT_EPSILON + FLT_MIN;",
         "const Float4 margin = 0 * size;"),
        ("contact/narrow_phase/closest_points.h",
         "s = clamped(fma(t, uv, -dot(w, u)) * inverse_or_zero(dot(u, u)));", ""),
        ("contact/narrow_phase/closest_points.h", "best.offer(ap, minus_ab, ac, from_c, one - from_c);", ""),
        ("contact/narrow_phase/pair_search.cpp", "(c1 != b) & ", ""),
        ("contact/narrow_phase/pair_search.cpp", "if ((noise >> l & 1) != 0) {", "if (false) {"),
        ("contact/narrow_phase/pair_search.cpp", "std::sort(first, first + range.count);", ""),
        ("contact/broad_phase/surface_tree.cpp", "finite &= std::abs(p[k]) <= 1e15;", ""),
        ("contact/broad_phase/surface_tree.cpp", "!wanted || wanted(std::min(a, b), std::max(a, b))", "true"),
        ("contact/broad_phase/surface_tree.cpp", "count = (count + lanes - 1) / lanes;", "count = count / lanes;"),
        ("contact/narrow_phase/intersections.cpp", "orientation(t[0], t[1], t[2], to) >= 0) return false;",
         "orientation(t[0], t[1], t[2], to) > 0) return false;"),
        ("contact/narrow_phase/pair_energy.cpp",
         "sum.add(pair::to_edge(sum.z, e), -chosen * load(c + (3 + e) * lanes));", ";"),
        ("contact/narrow_phase/pair_distances.h", "out.weight[e] = t - 1.0, out.weight[other] = -t;",
         "out.weight[e] = -t, out.weight[other] = t - 1.0;"),
        ("contact/feasible_region/feasible_region.cpp",
         "left = std::min(left, inside * std::max(0.0, to_plane / -moves[i]));", "left = std::min(left, 1.0);"),
        ("contact/feasible_region/feasible_region.cpp", "if (!(ss + 2 * os > room)) return 1;", "return 1;"),
        ("solvers/precondition/interface_rows.cpp", "row.gradient.push_back(value / total);",
         "row.gradient.push_back(value);"),
        ("problem/components.cpp", "if (first == second) return false;", "return false;"),
        ("solvers/local/contact_step.cpp", "limited = problem.limit_step(y.data(), trial_.data(), part_, alike);",
         ""),
        ("solvers/local/contact_step.cpp",
         "for (const PairStiffness& pair : pairs) add_stiffness(problem, pair, p_, kp_);", ""),
        ("solvers/local/constraint_term.cpp", "if (form.slip != nullptr)\n", "if (false)\n"),
        ("solvers/local/constraint_solver.cpp", "problem.limit_step(y.data(), wanted_.data(), part_);", "{};"),
        ("problem/dynamic_system.cpp", "problem_.limit_step(y.data(), outside_.data(), fraction_);", ""),
        ("contact/narrow_phase/pair_energy.cpp", "const Mask pushes = value > nothing",
         "const Mask pushes = value < nothing"),
        ("contact/narrow_phase/pair_energy.cpp", "lanes_in = inside & (across < 0.0)",
         "lanes_in = inside & (across > 0.0)"),
        ("problem/inequalities.cpp", "gradient[3 * v + k] = stiffness(v) * (y[3 * v + k] - to[k]);",
         "gradient[3 * v + k] = 0;"),
        ("potentials/prox.cpp", "return Prox::nearest;", "return Prox::coordinates;"),
        ("contact/friction/friction.cpp", "if (force <= contact.limit) return true;", "return true;"),
        ("contact/friction/friction.cpp", "contact.limit = mu * force;", "contact.limit = force;"),
        ("contact/friction/friction.cpp",
         "surface.potential->carry(had ? (*kept)[0] : from, stage.time, contact.anchor.data());", ""),
        ("contact/friction/friction.cpp", " - turn * (u[i] * u[j])", ""),
        ("contact/friction/friction.cpp",
         "if (had) std::copy_n(&(*kept)[next + 1], 3, contact.anchor.begin());\n        else", ""),
        ("contact/islands/separation_proof.cpp", "norm(one.moved - other.moved) + radius", "radius"),
        ("contact/islands/separation_proof.cpp", "own.least * spare - (1 - own.least) * radius_", "spare"),
        ("solvers/precondition/vertex_smoother.cpp", "sum[of_pairs_.column[s]] - w * z[i]",
         "sum[of_pairs_.column[s]]"),
        ("contact/islands/initial_overlaps.cpp", "change[b] - stage.tau * g : change[b]", "change[b] : change[b]"),
        ("contact/body_contact.cpp", "join(near_.pairs, next_.pairs), join(near_.folded, next_.folded);",
         "return true;"),
        ("solvers/descent/rigid_start.cpp", "if (both >= least_cosine * own) return;", "return;"),
        ("contact/restitution.cpp", "if (bounce.phase == pressing && now >= 0) bounce.phase = leaving;", ""),
        ("contact/restitution.cpp", "bodies_[b].mass[i] / tau_", "bodies_[b].mass[i]"),
        ("contact/restitution.cpp", "std::copy_n(numbers, bounce_numbers, n);", ""),
        ("solvers/admm.cpp", "prox(local.rubs ? local.rubbing : problem.elements().kernels(t)",
         "prox(problem.elements().kernels(t)"),
        ("problem/energy_blocks.cpp", "  for (auto& contact : contacts_) contact->add_points(y, points);\n", ""),
        ("contact/obstacles/obstacle_potential.cpp", "if (filter) keep_negative(at.normal, at.curvature);", ""),
        ("contact/obstacles/placement.cpp", "out[i] = turn[i] * d[0] + turn[3 + i] * d[1] + turn[6 + i] * d[2];",
         "out[i] = turn[3 * i] * d[0] + turn[3 * i + 1] * d[1] + turn[3 * i + 2] * d[2];"),
        ("contact/obstacles/vertex_sweeps.cpp",
         "if (place == Place::inside && dot(normal, side) < 0) return void(place = Place::stopped);", ""),
        ("contact/obstacles/obstacle_culling.cpp", "if (!later && lasted_ >= 0 && !arrived(x, pool)) {",
         "if (lasted_ >= 0 && !arrived(x, pool)) {"),
        ("contact/obstacles/mesh_region.cpp", "return squares < reach * reach;", "return reach > 0.0;"),
    ],
    "linear": [
        ("linear/sparse_matrix.cpp", "sum[c] + diagonal * xi[c]", "diagonal * xi[c]"),
        ("linear/multifrontal.cpp", "value[entry.transposed ? b_ * j + i : b_ * i + j]", "value[b_ * i + j]"),
        ("linear/ordering.cpp", "first += static_cast<int>(reached.size());", ""),
    ],
    "simulation": [
        ("simulation/apply_edit.cpp",
         "for (const Edit& edit : p_.standing) std::visit(InModel{next.model}, edit);", ""),
        ("simulation/apply_edit.cpp",
         "std::swap(p_.model, next);\n      p_.system->update();\n      throw;", "throw;"),
        ("simulation/apply_edit.cpp", "next.options.stop.cancel = p_.options.stop.cancel;", ""),
        ("simulation/builder_terms.cpp", "if (model.terms.size() > before) note(", "if (false) note("),
        ("simulation/builder_terms.cpp", "static_cast<int>(to.settings.size())", "0"),
        ("simulation/builder_actors.cpp", "for (double& x : force.vector) x /= mass;", ""),
        ("simulation/builder.cpp", "for (const Drag& drag : parts_->drags) out->post(drag);", ""),
        ("simulation/step.cpp", "  s.commit();\n", "  std::swap(s.state, s.next);\n"),
        ("simulation/state.cpp", "if (entry.stamp != stamp) entry.values.clear();", ""),
    ],
    "second look: sixteen of a reader": [
        ("contact/feasible_region/feasible_region.cpp", "floor_gap * radius_,", "0.0,"),
        ("contact/narrow_phase/pair_distances.h", "deep = max(d, floor)", "deep = d"),
        ("contact/narrow_phase/pair_list.cpp", "own > sewn * radius ? own : 0", "own"),
        ("contact/islands/separation_proof.cpp", " + std::sqrt(differ) * other.radius", ""),
        ("contact/islands/separation_proof.cpp", "turned = differ * b.radius * b.radius", "turned = 0 * differ"),
        ("contact/islands/separation_proof.cpp", "moves = norm(shift) + ", "moves = "),
        ("solvers/precondition/projective_hessian.cpp", "std::abs(now - before) > renewed * std::max(now, before)",
         "now < 0"),
        ("solvers/precondition/projective_hessian.cpp", "touched || linearises || dropped_",
         "touched || linearises"),
        ("solvers/precondition/projective_hessian.cpp", "else if (touched) coarse_.renew_contact(obstacles_);", ""),
        ("solvers/precondition/obstacle_level.cpp", "return change > stiffer * all;", "return false;"),
        ("contact/friction/body_friction.cpp", "kept.push_back(stuck ? 1 : 0);", "kept.push_back(0);"),
        ("solvers/precondition/interface_rows.cpp", "if (!(tangential > 0) || !(length > 0)) return;", "return;"),
        ("contact/body_contact.cpp", "grows * (*kept)[0]", "(*kept)[0]"),
        ("contact/body_contact.cpp", "if (gap < full) list_", "if (gap < 0) list_"),
        ("solvers/precondition/smoothed.cpp", "mean_step_.correct(*problem_, d);", ""),
        ("solvers/precondition/obstacle_level.cpp", "if (!planted || version_ != factor_.version())",
         "if (!planted)"),
    ],
    "second look: contact": [
        ("contact/broad_phase/body_boxes.cpp", "boxes[j].upper[0] + radius <", "boxes[j].upper[0] <"),
        ("contact/broad_phase/contact_surface.cpp", "if (out.edge_triangles[e].size() < 2)",
         "if (out.edge_triangles[e].empty())"),
        ("contact/broad_phase/cluster_pairs.h", "last_edge[lane] = cluster.last_edge;", "last_edge[lane] = 0;"),
        ("contact/narrow_phase/pair_list.cpp", "at_rest * std::sqrt(closest.squared)",
         "std::sqrt(closest.squared)"),
        ("contact/narrow_phase/pair_list.cpp", "more_ = reach - radius_;", "more_ = 0;"),
        ("contact/narrow_phase/pair_list.cpp", "== 2 ? 0.5 : 0", "== 2 ? 1 : 0"),
        ("contact/narrow_phase/pair_list.cpp", "less > 0 ? less : more", "more"),
        ("contact/narrow_phase/pair_energy.cpp", "chosen * (h.product + h.lost));", "chosen * h.product);"),
        ("contact/narrow_phase/pair_hessian.cpp", "chosen * (h.product + h.lost));", "chosen * h.product);"),
        ("contact/narrow_phase/pair_hessian.cpp", "g[1] = -ab * scale;", "g[1] = ab * scale;"),
        ("contact/narrow_phase/pair_hessian.cpp", "if (filter) project_psd9(hessian.entry);", ""),
        ("problem/blocks/global_energies.cpp", "forces.add(v, on_v), forces.add(w, on_w);", "forces.add(v, on_v);"),
        ("contact/body_contact.cpp", "weight * offset_energy(distance,", "offset_energy(distance,"),
        ("contact/feasible_region/feasible_region.cpp", "+ ss * room)) - os)", "+ ss * room)) + os)"),
        ("contact/feasible_region/feasible_region.cpp", "part[c] = std::min(part[c], whole_[c]);", ";"),
        ("contact/feasible_region/feasible_region.cpp", "2 * ball + least_of_gap * radius", "0.5 * ball"),
        ("contact/friction/friction.cpp", "u[i] -= height * n[i];", ";"),
        ("contact/friction/body_friction.cpp", "contact.anchor[k] -= slip[k];", "contact.anchor[k] += slip[k];"),
        ("contact/friction/body_friction.cpp", "(pair.first == b && pair.second == a)", "false"),
        ("contact/islands/separation_proof.cpp", "std::sqrt(most(far)) + shape.spread", "std::sqrt(most(far))"),
        ("contact/islands/separation_proof.cpp", "std::min(1.0, std::sqrt(std::max(0.0, square)))",
         "1 + 0 * square"),
        ("contact/islands/separation_proof.cpp", "n.spare = std::min(n.spare, pair.distance - own)",
         "n.spare = pair.distance - own"),
        ("contact/islands/separation_proof.cpp", "parts == Parts::unknown && !renew(",
         "parts == Parts::unknown && renew("),
        ("contact/islands/initial_overlaps.cpp", "mass[a] / (mass[a] + mass[b])", "0.5"),
        ("contact/islands/initial_overlaps.cpp", "n[5], 0, n[6]", "n[5], 0, 0"),
        ("contact/obstacles/obstacle_culling.cpp", "std::min(least_[i], room_[i])", "room_[i]"),
        ("contact/obstacles/obstacle_culling.cpp", "<= far.clearance * far.clearance",
         "<= 4 * far.clearance * far.clearance"),
        ("contact/obstacles/vertex_sweeps.cpp", "past = (1 - walkers[l].entry) * (to", "past = (to"),
        ("problem/blocks/tunnel_guards.cpp", "std::min(0.0, dot(", "std::max(0.0, dot("),
        ("contact/obstacles/half_spaces.cpp", "select(at.height < 0.0, at.stiffness, Pack{})", "at.stiffness"),
    ],
    "second look: precondition": [
        ("solvers/precondition/factor.cpp", "slot.version = ++versions_;", "slot.version = 1;"),
        ("solvers/precondition/low_rank.cpp", "if (single) to[n] = ", "if (single) to[axis] = "),
        ("solvers/precondition/vertex_smoother.cpp", "whole[k] += of_pairs_.value[s] * of_pairs_.value[s] *",
         "whole[k] += of_pairs_.value[s] *"),
        ("solvers/precondition/coarse_space.cpp", "inner_ = &inner, linearised_ = false;", "inner_ = &inner;"),
        ("solvers/precondition/mean_step.cpp", "free[of] == all[of]", "free[of] > 0"),
        ("solvers/precondition/point_hessian.cpp",
         "for (const int v : problem.elements().held_vertices()) hold(v);", ""),
        ("solvers/precondition/stiffness_fit.cpp", "mean > 0 && fit < blow * scale ?", "mean > 0 ?"),
    ],
    "second look: reduction": [
        ("reduction/projection_fit.cpp", "factor * before.spread_[at] + more(i, j)",
         "before.spread_[at] + more(i, j)"),
        ("reduction/moved_target.cpp", "1 / (held_[i].stiffness * tau2)", "1 / held_[i].stiffness"),
        ("reduction/position_subspace.cpp", "(moment[4 * l + 4 + i] - frame.centre[l] * moment[i])",
         "moment[4 * l + 4 + i]"),
        ("reduction/reduced_subspace.cpp", "term.scale = uniform && scale >= 0 ? scale : 1;", "term.scale = 1;"),
        ("reduction/handle_weights.cpp", "1 - s * s * (3 - 2 * s)", "1 - s * s"),
        ("reduction/snapshot_modes.cpp", "value = sum / std::sqrt(mass[vertices[i]]);", "value = sum;"),
        ("reduction/position_subspace.cpp", "left > tolerance * square[k]", "left > 0"),
    ],
}
FAULTS = [fault for group in GROUPS.values() for fault in group]

# NaN made in one place: (file, what stands there, what is put in its place, experiments that must miss)
NANS = [
    ("potentials/damping/drag.cpp", "return 0.5 * c[0] *", "return constant<T>(std::nan(\"\")) * c[0] *", ["E42"]),
    ("potentials/materials/neo_hookean.cpp", "p[i] = c[0] * z[i]", "p[i] = std::nan(\"\") * z[i]",
     ["E4", "E74", "E85"]),
    ("integrators/tr_bdf2.cpp", "scale = 1 / (gamma", "scale = std::nan(\"\") / (gamma",
     ["E26", "E27", "E28", "E80"]),
]


def layers_of(file):
    """The tests of a file below src: those of its innermost folder that has any."""
    folders = [folder for folder in LAYERS if file.startswith(folder + "/")]
    return LAYERS[max(folders, key=len)] if folders else []


def place(fault, root):
    """The file's text with the fault in it, or None when its place is not there exactly once."""
    file, old, new = fault[:3]
    path = root / "src" / file
    text = path.read_text() if path.is_file() else ""
    return None if text.count(old) != 1 else (path, text, text.replace(old, new))


def chosen(faults, text):
    """Faults with this text in their file or place, or in the name of their group."""
    in_group = {id(fault) for name, group in GROUPS.items() if text in name for fault in group}
    return [f for f in faults if text in f[0] or text in f[1] or id(f) in in_group]


def copy_tree(tree):
    """What git knows or would add; files that are the same are left alone, so that little is built again."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                           check=True, capture_output=True, text=True).stdout
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


@contextlib.contextmanager
def held(lock):
    """Nobody else builds on this machine meanwhile who holds the same file; without a file nobody waits."""
    if lock is None:
        yield
        return
    with open(lock, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Builder:
    """The copy of the tree and its build folder. Only the test executables that are run are built."""

    def __init__(self, tree, jobs):
        self.tree, self.jobs, self.build = tree, jobs, tree / "build/mutants"
        self.timeout = {}  # of the tests of a layer [s]

    def configure(self):
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DRESILIN_PYTHON_PACKAGE=OFF"], check=True, stdout=subprocess.DEVNULL)

    def make(self, target):
        return subprocess.run(["cmake", "--build", self.build, "-j", str(self.jobs), "--target", target],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def run(self, layer):
        """How the tests of a layer end: passed, failed with the test's name, does not build, hangs."""
        if not self.make(f"test_{layer}"):
            return "does not build"
        try:
            ended = subprocess.run([self.build / f"tests/test_{layer}", "--gtest_filter=-*Slow.*:*Slow/*",
                                    "--gtest_fail_fast"], timeout=self.timeout.get(layer, 600), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace")
        except subprocess.TimeoutExpired:
            return "hangs"
        if ended.returncode == 0:
            return "passed"
        lines = [line.split("]", 1)[1].split() for line in ended.stdout.splitlines()
                 if line.startswith(("[ RUN ", "[  FAILED  ]")) and "." in line]
        failed = [line for line in ended.stdout.splitlines() if line.startswith("[  FAILED  ]") and "." in line]
        return f"failed, {failed[0].split()[3]}" if failed else f"crashed, {lines[-1][0] if lines else 'at once'}"

    def passes_alone(self, layer):
        """How the tests of a layer end without a fault; with one they may take ten times as long."""
        start = time.monotonic()
        end = self.run(layer)
        self.timeout[layer] = 30 + 10 * (time.monotonic() - start)
        return end

    def verdict(self, experiment):
        """How `reproduce` ends: 0 when the experiment passes, 1 when it misses."""
        if not self.make("resilin_cli"):
            raise RuntimeError("resilin_cli does not build")
        return subprocess.run([self.build / "apps/cli/resilin", "reproduce", experiment, "--quick", "--no-output"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600).returncode


def let_through(builder, faults):
    """Experiments that a NaN does not make miss, each with the file that makes it."""
    out = [(experiment, "no fault at all") for fault in faults for experiment in fault[3]
           if builder.verdict(experiment) != 0]
    for fault in faults:
        path, text, changed = place(fault, builder.tree)
        try:
            path.write_text(changed)
            passed = [experiment for experiment in fault[3] if builder.verdict(experiment) != 1]
        finally:
            path.write_text(text)
        out += [(experiment, fault[0]) for experiment in passed]
        print(f"NaN in {fault[0]}: {', '.join(fault[3])}"
              + (f"; PASSED by {', '.join(passed)}" if passed else " miss"), flush=True)
    return out


def notice(builder, fault, nearest):
    """The first layer whose tests notice a fault, and how; nothing when none does."""
    path, text, changed = place(fault, builder.tree)
    try:
        path.write_text(changed)
        for layer in layers_of(fault[0])[:nearest]:
            if (end := builder.run(layer)) != "passed":
                return f"{layer} {end}"
    finally:
        path.write_text(text)
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only look whether every fault finds its place")
    parser.add_argument("--only", default="", help="faults with this text in their file or place or group")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first fault to run, counted from 1")
    parser.add_argument("--to", type=int, default=len(FAULTS), dest="last", help="the last fault to run")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--nearest", type=int, default=99, help="run the tests of so many layers only")
    parser.add_argument("--lock", help="a file that is locked for the time of each fault, on a shared machine")
    arguments = parser.parse_args()
    faults = chosen(FAULTS[max(arguments.first - 1, 0):arguments.last], arguments.only)
    nans = chosen(NANS, arguments.only) if arguments.last == len(FAULTS) else []
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
    passed = []
    if nans:
        with held(arguments.lock):
            passed = let_through(builder, nans)
    for layer in sorted({layer for f in faults for layer in layers_of(f[0])[:arguments.nearest]}):
        with held(arguments.lock):
            end = builder.passes_alone(layer)
        if end != "passed":
            print(f"without any fault the tests of {layer}: {end}")
            return 1
    survivors, broken = [], 0
    for number, fault in enumerate(faults, 1):
        with held(arguments.lock):
            start = time.monotonic()
            noticed = notice(builder, fault, arguments.nearest)
            seconds = time.monotonic() - start
        if not noticed:
            survivors.append(fault)
        broken += noticed.endswith("does not build")  # the compiler is no test
        print(f"[{FAULTS.index(fault) + 1}, {number}/{len(faults)}] {fault[0]}: {noticed or 'SURVIVED'} "
              f"({seconds:.0f} s)", flush=True)
    print(f"\n{len(survivors)} of {len(faults)} survive" + (f", {broken} do not build" if broken else ""))
    for file, old, new, *why in survivors:
        print(f"  {file}\n    {old!r}\n    {new!r}\n    {why[0] if why else 'NOT EXPLAINED'}")
    return 1 if passed or broken or any(len(fault) < 4 for fault in survivors) else 0


if __name__ == "__main__":
    sys.exit(main())
