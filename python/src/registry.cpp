// What is registered, as plain dicts: the Python layer makes classes, docstrings and stubs of it.
#include "resilin/registry.h"

#include "bindings.h"
#include "contact/obstacles/obstacle.h"
#include "linear/linear_solver.h"
#include "potentials/added/added.h"
#include "potentials/bending/bending.h"
#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/integrator.h"
#include "resilin/io.h"
#include "resilin/shapes.h"
#include "resilin/solver.h"
#include "scene/presets.h"

namespace resilin::python {
namespace {

py::dict param_dict(const Param& p) {
  py::dict out;
  out["name"] = p.name, out["type"] = type_name(p.type), out["unit"] = p.unit, out["doc"] = p.doc;
  out["default"] = to_python(p.fallback), out["required"] = p.required, out["per_element"] = p.per_element;
  const bool bounded = std::isfinite(p.range.low) || std::isfinite(p.range.high);
  out["range"] = bounded ? py::object(py::str(p.range.text())) : py::none();
  py::list choices;
  for (const std::string& choice : p.choices) choices.append(choice);
  out["choices"] = choices;
  return out;
}

template <class Plugin>
py::list entries() {
  py::list out;
  for (const auto& entry : registry<Plugin>()) {
    py::dict one;
    one["name"] = entry.name, one["doc"] = entry.plugin.doc;
    py::list params;
    if constexpr (requires { entry.plugin.params; })
      for (const Param& p : entry.plugin.params.list()) params.append(param_dict(p));
    one["parameters"] = params;
    out.append(one);
  }
  return out;
}

// InputError unless a plugin takes these parameters.
template <class Plugin>
bool checks(const std::string& kind, const std::string& wanted, const std::string& name, const py::dict& params) {
  if (kind != wanted) return false;
  Value values = to_value(params, name);
  values.locate(name);
  plugin<Plugin>(kind, name, kind).params.read(values);
  return true;
}

void check(const std::string& kind, const std::string& name, const py::dict& params) {
  const bool known = checks<ShapePlugin>("shape", kind, name, params) ||
                     checks<SheetPlugin>("sheet", kind, name, params) ||
                     checks<MaterialPlugin>("material", kind, name, params) ||
                     checks<BendingPlugin>("bending", kind, name, params) ||
                     checks<PotentialPlugin>("potential", kind, name, params) ||
                     checks<DampingPlugin>("damping", kind, name, params) ||
                     checks<IntegratorPlugin>("integrator", kind, name, params) ||
                     checks<SolverPlugin>("solver", kind, name, params);
  if (!known) throw InputError(kind, "is no kind whose parameters are checked alone");
}

py::dict presets() {
  py::dict out;
  for (const MaterialPreset& p : material_presets()) {
    py::dict one;
    one["material"] = p.material, one["young"] = p.young, one["poisson"] = p.poisson;
    one["density"] = p.density, one["source"] = p.source;
    out[py::str(p.name)] = one;
  }
  return out;
}

}  // namespace

void bind_registry(py::module_& m) {
  m.def("registry", [] {
    py::dict out;
    out["shape"] = entries<ShapePlugin>(), out["sheet"] = entries<SheetPlugin>();
    out["material"] = entries<MaterialPlugin>(), out["bending"] = entries<BendingPlugin>();
    out["potential"] = entries<PotentialPlugin>(), out["damping"] = entries<DampingPlugin>();
    out["obstacle"] = entries<ObstaclePlugin>(), out["integrator"] = entries<IntegratorPlugin>();
    out["solver"] = entries<SolverPlugin>(), out["linear"] = entries<LinearSolverPlugin>();
    out["format"] = entries<FormatPlugin>();
    return out;
  });
  m.def("check", &check);
  m.def("presets", &presets);
}

}  // namespace resilin::python
