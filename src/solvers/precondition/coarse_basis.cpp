#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "linear/dense.h"
#include "solvers/precondition/coarse_space.h"

namespace resilin {
namespace {

constexpr int vertices_per_mode = 16, guards = 4, rounds = 6;  // of the subspace iteration
constexpr double dropped = 1e-10;  // of the square of a column: less than this is left of it by those before it

using Columns = std::vector<std::vector<double>>;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// x <- x G^(-1/2), in the sense of G = L L^T, with G = x . gx; columns that depend on earlier ones are dropped.
// Twice is enough (CholeskyQR2): the second time G is nearly the identity.
void orthonormalise(Columns& x, const Columns& gx) {
  Columns out;
  std::vector<std::vector<double>> l;  // of the kept columns
  std::vector<int> kept;
  for (int j = 0; j < static_cast<int>(x.size()); ++j) {
    const double square = dot(x[j], gx[j]);
    double left = square;
    std::vector<double> row;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      double value = dot(x[kept[i]], gx[j]);
      for (std::size_t k = 0; k < i; ++k) value -= row[k] * l[i][k];
      row.push_back(value / l[i][i]);
      left -= row.back() * row.back();
    }
    if (!(left > dropped * square)) continue;
    row.push_back(std::sqrt(left));
    std::vector<double> column = x[j];
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::size_t v = 0; v < column.size(); ++v) column[v] -= row[i] * out[i][v];
    for (double& value : column) value /= row.back();
    out.push_back(std::move(column));
    kept.push_back(j);
    l.push_back(std::move(row));
  }
  x = std::move(out);
}

class BasisMaker {
 public:
  BasisMaker(Problem& problem, Factor& factor, int modes)
      : problem_(problem), factor_(factor), matrix_(problem.constant().matrix()), modes_(modes) {}

  std::vector<CoarseBasis> run() {
    find_parts();
    for (int round = 0; round < rounds; ++round) {
      for (int twice = 0; twice < 2; ++twice) orthonormalise_by([&](const auto& parts) { return weighted(parts); });
      parts_ = solved(weighted(parts_));
    }
    for (int twice = 0; twice < 2; ++twice) orthonormalise_by([&](const auto& parts) { return weighted(parts); });
    keep_lowest(multiplied(parts_));
    times_coordinates();
    for (int twice = 0; twice < 2; ++twice) orthonormalise_by([&](const auto& parts) { return multiplied(parts); });
    return std::move(parts_);
  }

 private:
  using Parts = std::vector<CoarseBasis>;

  void find_parts() {
    const auto& component = problem_.space().component();
    parts_.resize(component.empty() ? 0 : *std::max_element(component.begin(), component.end()) + 1);
    for (int v = 0; v < problem_.space().vertices(); ++v)
      if (problem_.space().free_index()[v] >= 0) parts_[component[v]].vertices.push_back(v);
    for (const auto& floating : problem_.space().floating_components())
      parts_[component[floating[0]]].floating = true;
    for (CoarseBasis& part : parts_)
      if (modes_of(part) > 0) start(part);
  }
  int modes_of(const CoarseBasis& part) const {
    return std::min(modes_, static_cast<int>(part.vertices.size()) / vertices_per_mode);
  }

  // Rest coordinates along the principal axes, as parts of the extent along each.
  struct Frame {
    std::array<double, 3> extent;
    Columns coordinate;  // in [0, 1]
  };
  Frame frame(const CoarseBasis& part) const {
    const auto& rest = problem_.space().rest();
    std::array<double, 3> mean{};
    for (const int v : part.vertices)
      for (int k = 0; k < 3; ++k) mean[k] += rest[3 * v + k] / static_cast<double>(part.vertices.size());
    DenseMatrix covariance(3, 3), axis;
    for (const int v : part.vertices)
      for (int i = 0; i < 9; ++i)
        covariance(i / 3, i % 3) += (rest[3 * v + i / 3] - mean[i / 3]) * (rest[3 * v + i % 3] - mean[i % 3]);
    symmetric_eigen(covariance, axis);
    Frame out{{}, Columns(3)};
    for (int k = 0; k < 3; ++k) {
      auto& along = out.coordinate[k];
      for (const int v : part.vertices)
        along.push_back(axis(0, k) * rest[3 * v] + axis(1, k) * rest[3 * v + 1] + axis(2, k) * rest[3 * v + 2]);
      const auto [low, high] = std::minmax_element(along.begin(), along.end());
      const double first = *low;
      out.extent[k] = *high - first;
      for (double& x : along) x = out.extent[k] > 0 ? (x - first) / out.extent[k] : 0;
    }
    return out;
  }

  // Products of cosines, the modes of a free box, those of the lowest frequencies.
  void start(CoarseBasis& part) const {
    const Frame box = frame(part);
    const double longest = *std::max_element(box.extent.begin(), box.extent.end());
    struct Wave {
      double square;
      std::array<int, 3> count;
    };
    std::vector<Wave> waves;
    const int most = 2 * modes_ + guards;
    for (int a = 0; a <= most; ++a)
      for (int b = 0; b <= most; ++b)
        for (int c = 0; c <= most; ++c) {
          Wave wave{0, {a, b, c}};
          bool flat = false;
          for (int k = 0; k < 3; ++k) {
            flat = flat || (wave.count[k] > 0 && box.extent[k] <= 1e-9 * longest);
            if (wave.count[k] > 0) wave.square += std::pow(wave.count[k] * longest / box.extent[k], 2);
          }
          if (!flat) waves.push_back(wave);
        }
    std::stable_sort(waves.begin(), waves.end(), [](const Wave& a, const Wave& b) { return a.square < b.square; });
    const std::size_t count = std::min<std::size_t>(waves.size(), modes_of(part) + guards);
    for (std::size_t w = 0; w < count; ++w) {
      std::vector<double> z(part.vertices.size(), 1.0);
      for (int k = 0; k < 3; ++k)
        for (std::size_t i = 0; waves[w].count[k] > 0 && i < z.size(); ++i)
          z[i] *= std::cos(std::numbers::pi * waves[w].count[k] * box.coordinate[k][i]);
      part.column.push_back(std::move(z));
    }
  }

  // op(x) on three columns of all parts at a time; x is n x 3, vertex v in row place[v].
  template <class Op>
  Parts mapped(Parts parts, const std::vector<int>& place, std::size_t rows, Op op) const {
    std::size_t columns = 0;
    for (const CoarseBasis& part : parts) columns = std::max(columns, part.column.size());
    std::vector<double> x(3 * rows);
    for (std::size_t first = 0; first < columns; first += 3) {
      const auto each = [&](auto visit) {
        for (CoarseBasis& part : parts)
          for (std::size_t c = first; c < std::min(first + 3, part.column.size()); ++c)
            for (std::size_t i = 0; i < part.vertices.size(); ++i)
              visit(part.column[c][i], x[3 * place[part.vertices[i]] + c - first]);
      };
      std::fill(x.begin(), x.end(), 0.0);
      each([](double& column, double& at) { at = column; });
      op(x);
      each([](double& column, double& at) { column = at; });
    }
    return parts;
  }
  Parts solved(Parts parts) const {
    std::vector<int> same(problem_.space().vertices());
    std::iota(same.begin(), same.end(), 0);
    return mapped(std::move(parts), same, same.size(),
                  [&](std::vector<double>& x) { factor_.apply(x.data(), x.data()); });
  }
  Parts multiplied(Parts parts) const {
    std::vector<double> product(3 * matrix_.size());
    return mapped(std::move(parts), problem_.space().free_index(), matrix_.size(), [&](std::vector<double>& x) {
      matrix_.multiply(x.data(), product.data());
      x.swap(product);
    });
  }
  // M/tau^2 times the columns.
  Parts weighted(Parts parts) const {
    const double weight = 1 / (problem_.stage().tau * problem_.stage().tau);
    for (CoarseBasis& part : parts)
      for (auto& column : part.column)
        for (std::size_t i = 0; i < column.size(); ++i)
          column[i] *= weight * problem_.space().vertex_mass()[part.vertices[i]];
    return parts;
  }
  template <class Weigh>
  void orthonormalise_by(Weigh weigh) {
    const Parts with = weigh(parts_);
    for (std::size_t p = 0; p < parts_.size(); ++p) orthonormalise(parts_[p].column, with[p].column);
  }

  // Rayleigh and Ritz: of the space that the iteration has found, the combinations with the least z.Az at z.Mz =
  // tau^2.
  void keep_lowest(const Parts& with) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      CoarseBasis& part = parts_[p];
      const int n = static_cast<int>(part.column.size()), keep = std::min(n, modes_of(part));
      DenseMatrix a(n, n), vectors;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a(i, j) = dot(part.column[i], with[p].column[j]);
      symmetric_eigen(a, vectors);
      Columns lowest(keep, std::vector<double>(part.vertices.size(), 0.0));
      for (int m = 0; m < keep; ++m)  // ascending
        for (int i = 0; i < n; ++i)
          for (std::size_t v = 0; v < part.vertices.size(); ++v) lowest[m][v] += vectors(i, m) * part.column[i][v];
      if (part.floating && keep > 0)
        std::fill(lowest[0].begin(), lowest[0].end(), 1.0);  // known exactly, and wanted so
      part.column = std::move(lowest);
    }
  }
  void times_coordinates() {
    for (CoarseBasis& part : parts_) {
      if (part.column.empty()) continue;
      const Frame box = frame(part);
      Columns out;
      for (const auto& z : part.column) {
        out.push_back(z);
        for (int k = 0; k < 3; ++k) {
          out.push_back(z);
          for (std::size_t i = 0; i < z.size(); ++i) out.back()[i] *= box.coordinate[k][i] - 0.5;
        }
      }
      part.column = std::move(out);
    }
  }

  Problem& problem_;
  Factor& factor_;
  SymmetricMatrix matrix_;
  int modes_;
  Parts parts_;
};

}  // namespace

std::vector<CoarseBasis> coarse_basis(Problem& problem, Factor& factor, int modes) {
  return BasisMaker(problem, factor, modes).run();
}

}  // namespace resilin
