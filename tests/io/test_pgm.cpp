#include <gtest/gtest.h>

#include "io/pgm.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

TEST(Pgm, PlainAndBinaryPicturesAreTheSame) {
  const GreyPicture plain = parse_pgm("P2 # of hills\n3 2\n255\n0 51 255\n102 0 1\n", "test");
  EXPECT_EQ(plain.width, 3);
  EXPECT_EQ(plain.height, 2);
  EXPECT_DOUBLE_EQ(plain.values[1], 0.2);
  EXPECT_EQ(plain.values, parse_pgm(std::string("P5 3 2 255\n\x00\x33\xff\x66\x00\x01", 17), "test").values);
  EXPECT_DOUBLE_EQ(parse_pgm(std::string("P5 1 1 65535\n\x80\x00", 15), "test").values[0], 32768.0 / 65535);
}

TEST(Pgm, WhatIsCutOrAnotherFormatIsRefused) {
  for (const char* bad :
       {"", "P6 1 1 255\nabc", "P2 2 2 255\n1 2 3", "P5 9 9 255\nabc", "P2 0 1 255\n", "P2 1 1 9\n10"})
    EXPECT_THROW(parse_pgm(bad, "test"), InputError) << bad;
}

}  // namespace
}  // namespace resilin
