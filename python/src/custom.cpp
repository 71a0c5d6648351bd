// Materials and damping that are Python functions of batches of deformation gradients, to try one out: a call for
// every 32 elements.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bindings.h"
#include "core/stamp.h"
#include "potentials/damping/damping.h"
#include "potentials/dissipation.h"
#include "potentials/material.h"

namespace resilin::python {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// z = F^T in packs [packs][3R][8] to F [n][3][R], and back: R = 3 for tets, 2 for triangles.
py::array_t<double> to_batch(const double* z, int packs, int rows) {
  const int size = 3 * rows;
  py::array_t<double> out({packs * lanes, 3, rows});
  double* f = out.mutable_data();
  for (int p = 0; p < packs; ++p)
    for (int l = 0; l < lanes; ++l)
      for (int i = 0; i < size; ++i)
        f[(p * lanes + l) * size + rows * (i % 3) + i / 3] = z[(p * size + i) * lanes + l];
  return out;
}
void add_batch(const double* f, int packs, int rows, double* z) {
  const int size = 3 * rows;
  for (int p = 0; p < packs; ++p)
    for (int l = 0; l < lanes; ++l)
      for (int i = 0; i < size; ++i)
        z[(p * size + i) * lanes + l] += f[(p * lanes + l) * size + rows * (i % 3) + i / 3];
}
// [n][3R][3R] over the entries of F to lower triangles over those of z.
void add_hessian(const double* h, int packs, int rows, double* z) {
  const int size = 3 * rows, triangle = size * (size + 1) / 2;
  const auto of_f = [=](int i) { return rows * (i % 3) + i / 3; };
  for (int p = 0; p < packs; ++p)
    for (int l = 0; l < lanes; ++l)
      for (int i = 0, k = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j, ++k)
          z[(p * triangle + k) * lanes + l] += h[((p * lanes + l) * size + of_f(i)) * size + of_f(j)];
}

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

// What a callback returned, as numbers of the wanted count.
Doubles checked(const py::handle& object, std::ptrdiff_t count, const char* what) {
  Doubles array = Doubles::ensure(object);
  if (!array || array.size() != count) {
    PyErr_Clear();
    throw py::value_error(
        fmt::format("{} has {} numbers, and {} are wanted", what, array ? array.size() : 0, count));
  }
  return array;
}

// Calls with the GIL; what it throws is kept and the numbers are NaN, so that the step is rejected.
template <class Call>
bool guarded(Failure& failure, Call&& call) {
  if (failure.any() || python_ends()) return false;
  const py::gil_scoped_acquire gil;
  try {
    call();
    return true;
  } catch (py::error_already_set& error) {
    failure.keep(error);
  } catch (const py::builtin_exception& error) {
    error.set_error();
    py::error_already_set thrown;
    failure.keep(thrown);
  }
  return false;
}

struct Callback {
  std::shared_ptr<py::object> call;
  std::shared_ptr<Failure> failure;
};

class MaterialKernel final : public Kernel {
 public:
  explicit MaterialKernel(Callback callback) : callback_(std::move(callback)) {}
  void evaluate(Block& block) const override {
    const int n = block.packs * lanes, derivatives = block.d2psi_z != nullptr ? 2 : block.dpsi_z != nullptr ? 1 : 0;
    const int rows = block.rows, size = 3 * rows;
    const bool done = guarded(*callback_.failure, [&] {
      const py::tuple out = (*callback_.call)(to_batch(block.z, block.packs, rows), derivatives, block.filter);
      const Doubles psi = checked(out[0], n, "energy");
      for (int i = 0; i < n; ++i) block.psi[i] += psi.data()[i];
      if (derivatives > 0) add_batch(checked(out[1], size * n, "stress").data(), block.packs, rows, block.dpsi_z);
      if (derivatives > 1)
        add_hessian(checked(out[2], size * size * n, "hessian").data(), block.packs, rows, block.d2psi_z);
    });
    if (!done) std::fill_n(block.psi, n, nan);
  }

 private:
  Callback callback_;
};

class PythonMaterial final : public Potential {
 public:
  PythonMaterial(ElementKind kind, Callback callback, std::string name, double stiffness, std::uint64_t number)
      : kind_(kind),
        callback_(std::move(callback)),
        name_(std::move(name)),
        stiffness_(stiffness),
        number_(number) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return kind_; }
  void stamp(Stamp& out) const override { out.add(name_), out.add(number_), out.add(stiffness_); }
  std::unique_ptr<Kernel> pack(std::span<const int>) const override {
    return std::make_unique<MaterialKernel>(callback_);
  }
  Reads reads(int) const override { return Reads::coordinates; }
  void quadratic(int, double, double* matrix) const override {
    const int rows = shape_of(kind_).rows;
    for (int i = 0; i < rows * rows; ++i) matrix[i] = i % (rows + 1) == 0 ? stiffness_ : 0;
  }

 private:
  ElementKind kind_;
  Callback callback_;
  std::string name_;
  double stiffness_;
  std::uint64_t number_;  // of the object: what the function does is not known
};

class DampingKernel final : public DissipationKernel {
 public:
  explicit DampingKernel(Callback callback) : callback_(std::move(callback)) {}
  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    const int n = block.packs * lanes;
    if (out.r != nullptr) std::fill_n(out.r, n, 0.0);
    for (double* each : {out.by_z, out.by_rate})
      if (each != nullptr) std::fill_n(each, 9 * n, 0.0);
    const bool done = guarded(*callback_.failure, [&] {
      const py::tuple result = (*callback_.call)(to_batch(block.z, block.packs, 3), to_batch(zdot, block.packs, 3),
                                                 out.by_z != nullptr, out.by_rate != nullptr);
      if (out.r != nullptr) {
        const Doubles r = checked(result[0], n, "rate");
        std::copy_n(r.data(), n, out.r);
      }
      if (out.by_z != nullptr) add_batch(checked(result[1], 9 * n, "by_gradient").data(), block.packs, 3, out.by_z);
      if (out.by_rate != nullptr)
        add_batch(checked(result[2], 9 * n, "by_rate").data(), block.packs, 3, out.by_rate);
    });
    if (!done && out.r != nullptr) std::fill_n(out.r, n, nan);
    if (!done && out.by_rate != nullptr) std::fill_n(out.by_rate, 9 * n, nan);
  }

 private:
  Callback callback_;
};

class PythonDamping final : public Dissipation {
 public:
  PythonDamping(Callback callback, std::string name, double viscosity, std::uint64_t number)
      : callback_(std::move(callback)), name_(std::move(name)), viscosity_(viscosity), number_(number) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return ElementKind::tet; }
  void viscosity(int, double* matrix) const override {
    for (int i = 0; i < 9; ++i) matrix[i] = i % 4 == 0 ? viscosity_ : 0;
  }

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int>) const override {
    return std::make_unique<DampingKernel>(callback_);
  }
  void stamp_model(Stamp& out) const override { out.add(number_), out.add(viscosity_); }

 private:
  Callback callback_;
  std::string name_;
  double viscosity_;
  std::uint64_t number_;
};

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> number = 0;
  return ++number;
}

}  // namespace

OwnMaterial own_material(py::object evaluate, std::string name, double stiffness, bool membrane) {
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw InputError("material \"" + name + "\": stiffness",
                     fmt::format("{}: must be > 0 and finite [Pa]", stiffness));
  const Callback callback{shared_object(std::move(evaluate)), std::make_shared<Failure>()};
  auto plugin = std::make_shared<MaterialPlugin>();
  (membrane ? plugin->make_membrane : plugin->make) = [=,
                                                       kind = membrane ? ElementKind::triangle : ElementKind::tet,
                                                       number = next_number()](std::span<const ElementSettings>) {
    return std::make_shared<PythonMaterial>(kind, callback, name, stiffness, number);
  };
  return {plugin, callback.failure};
}

OwnDamping own_damping(py::object rate, std::string name, double viscosity) {
  if (!(viscosity >= 0) || !std::isfinite(viscosity))
    throw InputError("damping \"" + name + "\": viscosity",
                     fmt::format("{}: must be >= 0 and finite [Pa s]", viscosity));
  const Callback callback{shared_object(std::move(rate)), std::make_shared<Failure>()};
  auto plugin = std::make_shared<DampingPlugin>();
  plugin->params = damping_params(Damps::solids);
  plugin->damps = Damps::solids;
  plugin->make = [=, number = next_number()](const DampingSource&) {
    return std::make_shared<PythonDamping>(callback, name, viscosity, number);
  };
  return {plugin, callback.failure};
}

}  // namespace resilin::python
