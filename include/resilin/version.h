// Which Resilin this is and how it was built.
#pragma once

namespace resilin {

const char* version();
const char* commit();
/// The instruction set that was asked for at build time: "native", "x86-64-v3", ...
const char* architecture();
/// Width of the SIMD registers that the library was compiled for.
int simd_bits();

}  // namespace resilin
