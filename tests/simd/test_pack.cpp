#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lanes_of.h"
#include "simd/pack.h"

namespace resilin {
namespace {

using testing::same_bits;
using testing::uniform;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// What pack.h promises: the function of a pack is the function of each lane, bit for bit.
template <class F>
void expect_lanes_equal(F&& f, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); i += lanes) {
    Pack x;
    for (int l = 0; l < lanes; ++l) x[l] = values[(i + static_cast<std::size_t>(l)) % values.size()];
    const Pack y = f(x);
    for (int l = 0; l < lanes; ++l) {
      const double expected = f(lane(x, l));
      ASSERT_TRUE(same_bits(lane(y, l), expected)) << lane(x, l) << ": " << lane(y, l) << " not " << expected;
    }
  }
}

std::vector<double> sample_values() {
  std::vector<double> values = {0.0,    -0.0,    1.0,   -1.0,   infinity, -infinity, nan,
                                5e-324, -3e-310, 1e308, 1e-308, 2.5,      0.5,       1e150};
  std::mt19937_64 bits(5);
  for (int i = 0; i < 4000; ++i) values.push_back(uniform(bits, -3, 3));
  for (int i = 0; i < 4000; ++i) values.push_back(std::bit_cast<double>(bits()));
  return values;
}

template <class T>
T every_function(T x) {
  const T one = constant<T>(1.0);
  const T a = select(x > constant<T>(0.25), sqrt(abs(x)), 0.5 * x - 2.0);
  const T b = max(min(a, one), copysign(one, x)) + fma(x, a, one) / (a * a + 1.0);
  const auto odd = ((b >= a) & (x != one)) | !(x > constant<T>(0.0));
  return select(is_finite(b), select(odd, b, -b), reciprocal(x) - reciprocal(sqrt(square(a))));
}

TEST(Pack, LanesEqualScalar) {
  expect_lanes_equal([](auto x) { return every_function(x); }, sample_values());
}

TEST(Pack, LogLanesEqualScalar) {
  expect_lanes_equal([](auto x) { return log(x); }, sample_values());
}

TEST(Pack, LogAgreesWithStd) {
  std::mt19937_64 bits(11);
  double worst = 0;
  const auto check = [&](double x) {
    const long double exact = std::log(static_cast<long double>(x));
    const double size = std::abs(static_cast<double>(exact));
    const double ulp = std::nextafter(size, infinity) - size;
    worst = std::max(worst, static_cast<double>(std::abs(log(x) - exact)) / ulp);
  };
  for (int i = 0; i < 100000; ++i)
    check(std::bit_cast<double>(bits() % 0x7FF0000000000000));  // all positive doubles
  for (int i = 0; i < 100000; ++i) check(uniform(bits, 0.5, 2));
  for (int i = 0; i < 100000; ++i)
    check(1 + uniform(bits, -1, 1) * std::pow(10.0, -16 * uniform(bits, 0, 1)) + 0x1p-52);
  EXPECT_LT(worst, 1.0);
}

TEST(Pack, LogOfSpecialValues) {
  EXPECT_EQ(log(0.0), -infinity);
  EXPECT_EQ(log(-0.0), -infinity);
  EXPECT_EQ(log(infinity), infinity);
  EXPECT_EQ(log(1.0), 0.0);
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(log(-infinity)));
  EXPECT_TRUE(std::isnan(log(nan)));
  EXPECT_DOUBLE_EQ(log(5e-324), std::log(5e-324));
}

TEST(Pack, LoadStoreBroadcastSum) {
  alignas(64) double values[lanes] = {1e16, 1, -1e16, 2, 3, 4, 5, 6}, copy[lanes];
  const Pack x = load(values);
  store(copy, x);
  for (int l = 0; l < lanes; ++l) EXPECT_EQ(copy[l], values[l]);
  EXPECT_EQ(sum(x), ((1e16 + 3) + (-1e16 + 5)) + ((1.0 + 4) + (2.0 + 6)));
  EXPECT_EQ(sum(broadcast(0.1)), 0.8);
  EXPECT_TRUE(std::signbit(lane(broadcast(-0.0), 3)));
  Pack y = x;
  y += 1.0;
  y *= x;
  EXPECT_EQ(lane(y, 3), 6.0);
}

TEST(Pack, Masks) {
  for (int n = 0; n <= lanes; ++n) {
    const Mask mask = first_lanes(n);
    EXPECT_EQ(lane_bits(mask), (1u << n) - 1);
    EXPECT_EQ(any(mask), n > 0);
    EXPECT_EQ(all(mask), n == lanes);
    EXPECT_EQ(sum(select(mask, broadcast(1.0), 0.0)), n);
    EXPECT_EQ(all(!mask), n == 0);
  }
  EXPECT_TRUE(any(true) && all(true) && !any(false));
}

TEST(Pack, MinMaxReturnTheSecondForNan) {
  EXPECT_EQ(min(nan, 1.0), 1.0);
  EXPECT_TRUE(std::isnan(max(1.0, nan)));
}

template <int N>
void check_gather_and_scatter() {
  std::mt19937_64 bits(N);
  constexpr int vertices = 13;  // fewer than the lanes use, so that they share vertices
  std::vector<double> x(4 * vertices), f(4 * vertices, 0.25), expected = f;
  for (double& value : x) value = uniform(bits, -1, 1);
  for (int active = 0; active <= lanes; ++active) {
    int ids[N * lanes];
    for (int& id : ids) id = static_cast<int>(bits() % vertices);
    Pack packs[N][3];
    gather_vertices<N>(x.data(), ids, packs);
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < lanes; ++l)
          ASSERT_EQ(lane(packs[n][k], l), x[static_cast<std::size_t>(4 * ids[n * lanes + l] + k)]);
    Pack rows[N][4];
    gather_rows<N>(x.data(), ids, rows);
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < lanes; ++l)
          ASSERT_EQ(lane(rows[n][k], l), x[static_cast<std::size_t>(4 * ids[n * lanes + l] + k)]);
    scatter_add<N>(f.data(), ids, packs, active);
    for (int l = 0; l < active; ++l)
      for (int n = 0; n < N; ++n)
        for (int k = 0; k < 3; ++k)
          expected[static_cast<std::size_t>(4 * ids[n * lanes + l] + k)] += lane(packs[n][k], l);
    ASSERT_EQ(f, expected);
  }
}

TEST(Pack, GatherAndScatter) {
  check_gather_and_scatter<1>();
  check_gather_and_scatter<2>();
  check_gather_and_scatter<3>();
  check_gather_and_scatter<4>();
  check_gather_and_scatter<8>();
}

}  // namespace
}  // namespace resilin
