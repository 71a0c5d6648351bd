#include "simd/eigen3.h"

#include "simd/jacobi3.h"
#include "simd/parts.h"

namespace resilin {
namespace {

constexpr int first_sweeps = 4;
constexpr int most_sweeps = 12;
constexpr double tolerance = 1e-15;  // on the entries off the diagonal, relative to the largest entry of h

template <class T>
RESILIN_INLINE T largest_entry(const T h[6]) {
  T largest = abs(h[0]);
  for (int i = 1; i < 6; ++i) largest = max(abs(h[i]), largest);
  return largest;
}

template <class T>
RESILIN_INLINE void decompose(const T h[6], T d[3], T q[9]) {
  // By a power of two near the largest entry; clamped, because its inverse must be a normal number.
  constexpr std::int64_t exponent = 0x7FF0000000000000;
  const T bounded = min(max(largest_entry(h), constant<T>(0x1p-1000)), constant<T>(0x1p1000));
  const T scale = from_bits<T>(as_bits(bounded) & exponent);
  const T unscale = 1.0 / scale;
  T g[6], r[4];
  for (int i = 0; i < 6; ++i) g[i] = h[i] * unscale;
  for (int i = 0; i < 4; ++i) r[i] = constant<T>(i == 0 ? 1.0 : 0.0);
  const T small = tolerance * largest_entry(g);
  for (int i = 0; i < first_sweeps; ++i) jacobi3::sweep(g, r);

  const auto unfinished = [&] { return max(max(abs(g[3]), abs(g[4])), abs(g[5])) > small; };  // false for NaN
  auto active = unfinished();
  for (int i = first_sweeps; i < most_sweeps && any(active); ++i) {
    T g_next[6], r_next[4];
    for (int j = 0; j < 6; ++j) g_next[j] = g[j];
    for (int j = 0; j < 4; ++j) r_next[j] = r[j];
    jacobi3::sweep(g_next, r_next);
    for (int j = 0; j < 6; ++j) g[j] = select(active, g_next[j], g[j]);  // finished lanes keep their bits
    for (int j = 0; j < 4; ++j) r[j] = select(active, r_next[j], r[j]);
    active = active & unfinished();
  }
  jacobi3::rotation_of(r, q);
  for (int i = 0; i < 3; ++i) d[i] = g[i] * scale;
}

template <class T>
RESILIN_INLINE void clamp_to_psd(T h[6]) {
  T d[3], q[9], clamped[3], rebuilt[9];
  decompose(h, d, q);
  const auto negative = min(min(d[0], d[1]), d[2]) < constant<T>(0.0);
  if (!any(negative)) return;
  for (int i = 0; i < 3; ++i) clamped[i] = max(d[i], constant<T>(0.0));
  multiply_diagonal_nt(q, clamped, q, rebuilt);
  const int at[6] = {0, 4, 8, 5, 6, 1};
  for (int i = 0; i < 6; ++i) h[i] = select(negative, rebuilt[at[i]], h[i]);
}

}  // namespace

void eigen3(const Pack h[6], Pack d[3], Pack q[9]) {
  for (int part = 0; part < native_parts; ++part) {
    Native ph[6], pd[3], pq[9];
    read_part<6>(h, part, ph);
    decompose(ph, pd, pq);
    write_part<3>(pd, part, d);
    write_part<9>(pq, part, q);
  }
}

void eigen3(const double h[6], double d[3], double q[9]) {
  Native ph[6], pd[3], pq[9];
  for (int i = 0; i < 6; ++i) ph[i] = constant<Native>(h[i]);
  decompose(ph, pd, pq);
  for (int i = 0; i < 3; ++i) d[i] = pd[i][0];
  for (int i = 0; i < 9; ++i) q[i] = pq[i][0];
}

void project_psd3(Pack h[6]) {
  for (int part = 0; part < native_parts; ++part) {
    Native ph[6];
    read_part<6>(h, part, ph);
    clamp_to_psd(ph);
    write_part<6>(ph, part, h);
  }
}

void project_psd3(double h[6]) {
  Native ph[6];
  for (int i = 0; i < 6; ++i) ph[i] = constant<Native>(h[i]);
  clamp_to_psd(ph);
  for (int i = 0; i < 6; ++i) h[i] = ph[i][0];
}

}  // namespace resilin
