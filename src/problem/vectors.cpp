#include "problem/vectors.h"

#include <array>

namespace resilin {

void Vectors::copy(const double* from, double* to) {
  set_.each(pool_, [&](std::ptrdiff_t b, std::ptrdiff_t e, int) { std::copy(from + b, from + e, to + b); });
}

void Vectors::copy(const double* from, double* to, Chosen chosen) {
  set_.each(pool_, [&](std::ptrdiff_t b, std::ptrdiff_t e, int c) {
    if (chosen(c)) std::copy(from + b, from + e, to + b);
  });
}

void Vectors::step(const double* from, Length length, const double* d, double* to) {
  set_.each(pool_, [&](std::ptrdiff_t b, std::ptrdiff_t e, int c) {
    const double alpha = length(c);
    for (std::ptrdiff_t k = b; k < e; ++k) to[k] = from[k] + alpha * d[k];
  });
}

void Vectors::mix(const double* from, double share, const double* other, double* to) {
  set_.each(pool_, [&](std::ptrdiff_t b, std::ptrdiff_t e, int) {
    for (std::ptrdiff_t k = b; k < e; ++k) to[k] = from[k] + share * (other[k] - from[k]);
  });
}

void Vectors::combine(double factor, const double* v, std::span<const Scaled> add, double* to) {
  set_.each(pool_, [&](std::ptrdiff_t b, std::ptrdiff_t e, int) { chunk_combine(factor, v, add, to, b, e); });
}

void Vectors::combine(double factor, const double* v, std::span<const double* const> vectors, const double* scales,
                      FunctionRef<bool(int, int)> takes_part, double* to) {
  set_.each(pool_, [&](std::ptrdiff_t b, std::ptrdiff_t e, int c) {
    std::array<Scaled, 128> add;  // no more vectors are combined at once
    std::size_t count = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i)
      if (takes_part(c, static_cast<int>(i))) add[count++] = {scales[c * vectors.size() + i], vectors[i]};
    chunk_combine(factor, v, std::span(add.data(), count), to, b, e);
  });
}

void Vectors::dots(std::span<const Pair> pairs, std::vector<double>& sums) {
  set_.sum(pool_, static_cast<int>(pairs.size()), scratch_, sums,
           [&](std::ptrdiff_t b, std::ptrdiff_t e, double* to) {
             for (std::size_t i = 0; i < pairs.size(); ++i)
               to[i] = chunk_dot(pairs[i].a + b, pairs[i].b + b, e - b);
           });
  set_.share(static_cast<int>(pairs.size()), sums);
}

// By blocks, on which v stays in the nearest cache.
void Vectors::dots(std::span<const double* const> vectors, const double* v, std::vector<double>& sums) {
  set_.sum(pool_, static_cast<int>(vectors.size()), scratch_, sums,
           [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* to) {
             for_blocks(begin, end, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
               for (std::size_t i = 0; i < vectors.size(); ++i) to[i] += chunk_dot(vectors[i] + b, v + b, e - b);
             });
           });
  set_.share(static_cast<int>(vectors.size()), sums);
}

void Vectors::add(const double* v, double factor, const double* other, double* to) {
  const Scaled one{factor, other};
  combine(1, v, std::span(&one, 1), to);
}

double Vectors::dot(const double* a, const double* b) {
  const Pair pair{a, b};
  dots(std::span(&pair, 1), sums_);
  double total = 0;
  for (int c = 0; c < set_.count(); ++c)
    if (set_.leads(c)) total += sums_[c];
  return total;
}

void Vectors::secant(const Secant& of, std::vector<double>& sums) {
  const std::size_t others = of.others.size();
  const auto add_block = [&](std::ptrdiff_t b, std::ptrdiff_t e, double* to) {
    for (std::ptrdiff_t k = b; k < e; ++k) {
      of.s[k] = of.y_next[k] - of.y[k];
      of.t[k] = of.g_next[k] - of.g[k];
    }
    const double *s = of.s + b, *t = of.t + b, *g = of.g_next + b;
    to[0] += chunk_dot(s, t, e - b);
    to[1] += chunk_dot(s, s, e - b);
    to[2] += chunk_dot(t, t, e - b);
    to[3] += chunk_dot(s, g, e - b);
    for (std::size_t i = 0; i < others; ++i) {
      to[4 + 2 * i] += chunk_dot(of.others[i] + b, t, e - b);
      to[5 + 2 * i] += chunk_dot(of.others[i] + b, g, e - b);
    }
  };
  set_.sum(pool_, static_cast<int>(4 + 2 * others), scratch_, sums,
           [&](std::ptrdiff_t begin, std::ptrdiff_t end, double* to) {
             for_blocks(begin, end, [&](std::ptrdiff_t b, std::ptrdiff_t e) { add_block(b, e, to); });
           });
  set_.share(static_cast<int>(4 + 2 * others), sums);
}

}  // namespace resilin
