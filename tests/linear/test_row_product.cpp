#include <gtest/gtest.h>

#include "linear/jacobi.h"
#include "linear/row_product.h"
#include "matrices.h"

namespace resilin {
namespace {

TEST(RowProduct, EqualsTheStoredTriangleAndIsTheSameForAnyThreads) {
  for (const int block : {1, 3}) {
    const SymmetricMatrix a = test::make_grid(9, 12, 11, block);
    const auto x = test::random_vector(3 * a.size(), 6);
    std::vector<double> expected(x.size()), one(x.size()), many(x.size());
    a.multiply(x.data(), expected.data());
    const RowProduct product(a);
    ThreadPool single(1), pool(3);
    product.multiply(a, x.data(), one.data(), single);
    product.multiply(a, x.data(), many.data(), pool);
    EXPECT_EQ(one, many);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(one[i], expected[i], 1e-11);
  }
}

TEST(Jacobi, DividesByTheDiagonalAndRefusesANegativeOne) {
  for (const int block : {1, 3}) {
    SymmetricMatrix a = test::make_grid(3, 3, 3, block);
    ThreadPool pool(1);
    Jacobi jacobi;
    jacobi.analyse(a);
    ASSERT_TRUE(jacobi.factorise(a, pool).positive_definite);
    std::vector<double> ones(3 * a.size(), 1.0), x(ones.size());
    jacobi.solve(ones.data(), x.data(), pool);
    const std::size_t diagonal = static_cast<std::size_t>(a.find(4, 4)) * block * block;
    EXPECT_DOUBLE_EQ(x[12] * a.value[diagonal], 1);
    a.value[diagonal] = -1;
    EXPECT_EQ(jacobi.factorise(a, pool).row, 4);
  }
}

}  // namespace
}  // namespace resilin
