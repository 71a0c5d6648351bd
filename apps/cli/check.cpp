// resilin check FILE: what a mesh file holds, what is wrong with it and what that means for simulating; --repair
// writes a better one. A scene is checked by check_scene.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "check_scene.h"
#include "command.h"
#include "document.h"
#include "io/doctor.h"
#include "io/drawn.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "terminal.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

struct CheckArguments {
  std::string file, repair;
  bool linearise = false;
};

// How thick to make a sheet, so that there is something to fill; no value: nothing helps.
std::optional<double> wanted_thickness(const MeshData& mesh, const Diagnosis& found) {
  double extent = 0;
  for (std::size_t k = 0; k < 3; ++k) extent = std::max(extent, found.box.upper[k] - found.box.lower[k]);
  for (const double part : {0.02, 0.05, 0.1}) {
    try {
      fill_surface(to_triangle_mesh(drawn(mesh)), {.thicken = part * extent});
      return part * extent;
    } catch (const InputError&) {
      continue;
    }
  }
  return std::nullopt;
}

std::string repaired_name(const std::string& file) {
  fs::path name = fs::path(file).filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::string format = format_of_path(name.string());
  const bool writable = !format.empty() && find_plugin<FormatPlugin>(format)->plugin.write;
  return name.stem().string() + "_repaired" + (writable ? name.extension().string() : ".msh");
}

/// What to do with a file: a command that works, where there is one, and how a scene names it.
struct NextStep {
  std::string text, in_scene;
};

NextStep next_step(const std::string& file, bool linearise, const MeshData& mesh, const Diagnosis& found) {
  const std::string flag = linearise ? " --linearise" : "", key = linearise ? ", \"linearise\": true" : "";
  const std::string run = fmt::format("resilin run {}{}", shell_word(file), flag), quoted = Value(file).dump();
  switch (found.verdict) {
    case Verdict::ready: return {run, fmt::format("\"mesh\": {}{}", quoted, key)};
    case Verdict::surface_only: return {run, fmt::format("\"mesh\": {{\"surface\": {}}}{}", quoted, key)};
    case Verdict::sheet: {
      const std::optional<double> thick = wanted_thickness(mesh, found);
      const std::string shell = fmt::format("\"shell\": {}{}", quoted, key);
      if (!thick) return {"write a scene in which it is a shell: it encloses nothing that tets could fill", shell};
      return {fmt::format("{} --set 'bodies[0].mesh.thicken={:.3g}'", run, *thick), shell};
    }
    case Verdict::repairable:
      return {
          fmt::format("resilin check {}{} --repair {}", shell_word(file), flag, shell_word(repaired_name(file))),
          ""};
    case Verdict::damaged: return {"mesh it anew, e.g. with gmsh, tetgen or ftetwild", ""};
    case Verdict::empty:
      if (found.edges == 0) return {"a mesh needs tets, triangles or edges", ""};
      return {"write a scene in which its edges are springs",
              fmt::format("\"springs\": {{\"mesh\": {}}}{}", quoted, key)};
  }
  return {};
}

struct Repaired {
  std::vector<RepairStep> steps;
  Diagnosis after;
  NextStep next;
  bool replaced = false;  // there was a file of that name
};

Repaired repair_file(MeshData mesh, const std::string& out) {
  Repaired result;
  result.steps = repair(mesh, diagnose(mesh).verdict == Verdict::sheet);
  result.after = diagnose(mesh);
  result.next = next_step(out, false, mesh, result.after);
  std::error_code error;
  result.replaced = fs::exists(out, error);
  write_file(out, write_mesh(out, mesh));
  return result;
}

void print_next(const NextStep& step) {
  fmt::print("next: {}\n", step.text);
  if (!step.in_scene.empty()) fmt::print("in a body of a scene: {}\n", step.in_scene);
}

// ---- JSON ---------------------------------------------------------------------------------------------------

Value ids_value(const std::vector<int>& ids) {
  Value::List out;
  for (const int id : ids) out.emplace_back(id);
  return out;
}

Value defects_value(const std::vector<Finding>& findings) {
  Value::List out;
  for (const auto& [defect, stops, meaning] : findings)
    out.emplace_back(Value::Object{{"kind", name(defect.kind)},
                                   {"count", defect.count},
                                   {"examples", ids_value(defect.examples)},
                                   {"detail", defect.detail},
                                   {"stops", stops},
                                   {"meaning", meaning}});
  return out;
}

Value groups_value(const std::vector<GroupSize>& groups) {
  Value::List out;
  for (const auto& [name, of, count] : groups)
    out.emplace_back(Value::Object{{"name", name}, {"of", of}, {"count", count}});
  return out;
}

Value quality_value(const Diagnosis& found) {
  if (found.tets == 0) return {};
  const Quality& q = found.quality;
  return Value::Object{
      {"min_dihedral", q.min_dihedral},
      {"max_dihedral", q.max_dihedral},
      {"min_quality", q.min_quality},
      {"mean_quality", q.mean_quality},
      {"dihedral_histogram", ids_value({q.dihedral_histogram.begin(), q.dihedral_histogram.end()})}};
}

Value repair_value(const std::string& out, const Repaired& repaired) {
  Value::List steps;
  for (const auto& [what, count, text] : repaired.steps)
    steps.emplace_back(Value::Object{{"what", what}, {"count", count}, {"text", text}});
  return Value::Object{{"out", out},
                       {"replaced", repaired.replaced},
                       {"steps", steps},
                       {"defects", defects_value(repaired.after.findings)},
                       {"verdict", name(repaired.after.verdict)},
                       {"next", repaired.next.text}};
}

Value::Object document_of(const CheckArguments& arguments, const MeshData& mesh, const Diagnosis& found,
                          const NextStep& next) {
  const std::string format = format_of_file(arguments.file);
  return {
      {"file", arguments.file},
      {"format", format.empty() ? Value() : Value(format)},
      {"vertices", found.vertices},
      {"tets", found.tets},
      {"triangles", found.triangles},
      {"edges", found.edges},
      {"groups", groups_value(found.groups)},
      {"bounds", Value::Object{{"lower", vector_value(found.box.lower)}, {"upper", vector_value(found.box.upper)}}},
      {"components", found.components},
      {"closed", found.closed},
      {"volume", found.closed ? Value(found.volume) : Value()},
      {"quality", quality_value(found)},
      {"defects", defects_value(found.findings)},
      {"notes", list_of(mesh.notes)},
      {"verdict", name(found.verdict)},
      {"refusal", found.refusal.empty() ? Value() : Value(found.refusal)},
      {"next", next.text},
      {"in_scene", next.in_scene.empty() ? Value() : Value(next.in_scene)}};
}

int refuse(const CheckArguments& arguments, const InputError& error) {
  const std::string format = format_of_file(arguments.file);
  print_document(Value::Object{{"file", arguments.file},
                               {"format", format.empty() ? Value() : Value(format)},
                               {"defects", Value::List{}},
                               {"verdict", "refused"},
                               {"error", Value::Object{{"where", error.where()}, {"problem", error.problem()}}}});
  return bad_input;
}

// ---- text ---------------------------------------------------------------------------------------------------

std::string count_text(int count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void print_size(const Diagnosis& found) {
  if (found.vertices == 0) return;
  const auto& [lower, upper] = found.box;
  fmt::print("  size {:.4g} x {:.4g} x {:.4g} m, from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g})\n",
             upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2], lower[0], lower[1], lower[2], upper[0],
             upper[1], upper[2]);
}

void print_contents(const CheckArguments& arguments, const Diagnosis& found) {
  fmt::print("{} ({})\n", arguments.file, format_of_file(arguments.file));
  fmt::print("  {} vertices, {}, {}, {}\n", found.vertices, count_text(found.tets, "tet"),
             count_text(found.triangles, "triangle"), count_text(found.edges, "edge"));
  print_size(found);
  fmt::print("  {}", count_text(found.components, "component"));
  if (found.tets > 0 || found.triangles > 0) fmt::print(", {}", found.closed ? "closed" : "open");
  if (found.closed) fmt::print(", volume {:.4g} m^3", found.volume);
  fmt::print("\n");
  for (const auto& [name, of, count] : found.groups) fmt::print("  group {}: {} {}\n", name, count, of);
}

void print_histogram(const Diagnosis& found) {
  if (found.tets == 0) return;
  const Quality& q = found.quality;
  fmt::print(
      "  dihedral angles {:.2f} to {:.2f} degrees; quality {:.2g} at worst, {:.2f} in the mean (1: regular)\n",
      q.min_dihedral, q.max_dihedral, q.min_quality, q.mean_quality);
  const double most = *std::max_element(q.dihedral_histogram.begin(), q.dihedral_histogram.end());
  for (std::size_t i = 0; i < q.dihedral_histogram.size(); ++i) {
    const int count = q.dihedral_histogram[i];
    const auto bar = count == 0 ? 0 : std::max<std::size_t>(1, static_cast<std::size_t>(40 * count / most));
    fmt::print("  {:3} - {:3}  {}{}  {}\n", 10 * i, 10 * i + 10, std::string(bar, '#'), std::string(40 - bar, ' '),
               count);
  }
}

std::string examples_text(const Defect& defect) {
  if (defect.examples.empty()) return "";
  std::string ids;
  for (const int id : defect.examples) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", id);
  return fmt::format(" ({}{})", ids, defect.count > static_cast<int>(defect.examples.size()) ? ", ..." : "");
}

void print_findings(const std::vector<Finding>& findings, const Terminal& terminal) {
  if (findings.empty()) fmt::print("  no defects\n");
  for (const auto& [defect, stops, meaning] : findings) {
    const std::string title = fmt::format("{}: {}", name(defect.kind), defect.count);
    fmt::print("  {}{}\n", terminal.paint(stops ? Style::red : Style::yellow, title), examples_text(defect));
    fmt::print("      {}\n", wrapped(defect.detail, terminal.width(), 6));
    fmt::print("      {}\n", wrapped(meaning, terminal.width(), 6));
  }
}

void print_repair(const std::string& out, const Repaired& repaired, const Terminal& terminal) {
  fmt::print("{}{}: {}\n", out, repaired.replaced ? " (replaced the file of that name)" : "",
             repaired.steps.empty() ? "written; there was nothing to repair" : "written");
  for (const RepairStep& step : repaired.steps) fmt::print("  {}\n", step.text);
  fmt::print("what is left there:\n");
  print_findings(repaired.after.findings, terminal);
  fmt::print("verdict of {}: {}\n", out, name(repaired.after.verdict));
  print_next(repaired.next);
}

int check_file(const CheckArguments& arguments, bool json) {
  MeshData mesh;
  try {
    mesh = read_mesh(arguments.file, {arguments.linearise});
  } catch (const InputError& error) {
    if (json) return refuse(arguments, error);
    throw;
  }
  const Diagnosis found = diagnose(mesh);
  Repaired repaired;
  if (!arguments.repair.empty()) repaired = repair_file(mesh, arguments.repair);
  if (json) {
    Value::Object document =
        document_of(arguments, mesh, found, next_step(arguments.file, arguments.linearise, mesh, found));
    if (!arguments.repair.empty()) document.emplace_back("repair", repair_value(arguments.repair, repaired));
    print_document(document);
    return done;
  }
  const Terminal terminal(stdout);
  print_contents(arguments, found);
  print_histogram(found);
  for (const std::string& note : mesh.notes) fmt::print("  note: {}\n", note);
  print_findings(found.findings, terminal);
  const bool good = found.verdict == Verdict::ready || found.verdict == Verdict::surface_only;
  fmt::print("verdict: {}\n", terminal.paint(good ? Style::green : Style::red, name(found.verdict)));
  if (!found.refusal.empty()) fmt::print("run refuses it: {}\n", wrapped(found.refusal, terminal.width(), 0));
  if (arguments.repair.empty()) print_next(next_step(arguments.file, arguments.linearise, mesh, found));
  else print_repair(arguments.repair, repaired, terminal);
  return done;
}

}  // namespace

Command check_command() {
  const auto arguments = std::make_shared<CheckArguments>();
  Command command{
      "check",
      "Check a mesh file or a scene: contents, defects and whether it can be simulated; --repair mends a mesh",
      {"set"},
      {},
      nullptr};
  command.arguments = {
      {"file", "a mesh file, gzipped or not, or a scene", &arguments->file, true},
      {"--repair", "OUT: weld, drop, flip, and write the result there; its ending says the format",
       &arguments->repair},
      {"--linearise", "keep the corners of higher-order elements instead of refusing them", &arguments->linearise}};
  command.run = [arguments](const Shared& shared) {
    if (!is_scene(arguments->file)) return check_file(*arguments, shared.json);
    if (!arguments->repair.empty()) throw InputError("--repair", "is for mesh files, and this is a scene");
    return check_scene(arguments->file, shared);
  };
  return command;
}

}  // namespace resilin::cli
