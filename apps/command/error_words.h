// The error of frames in words that a person understands: how far positions may be off, as a share of a body's
// size.
#pragma once
#include <string>

namespace resilin::cli {

/// What errors of acceleration [1/s^2] in frames of `step` [s] add up to over `span` [s] where their directions
/// have nothing to do with each other: each is one of velocity, a h, and moves what follows by a h times the time
/// that is left. In sizes of the body.
double likely_error(double acceleration, double step, double span = 1);

/// One digit, and no exponent where nobody would write one.
std::string percent(double share);

}  // namespace resilin::cli
