// Which Resilin this is and how it was built.
#pragma once

// The version of these headers, for #if in host programs. CMake stops where it differs from project(VERSION).
#define RESILIN_VERSION_MAJOR 0
#define RESILIN_VERSION_MINOR 2
#define RESILIN_VERSION_PATCH 0
#define RESILIN_VERSION_STRING "0.2.0"

namespace resilin {

/// The version of the library that is linked: RESILIN_VERSION_STRING of the headers that it was built with.
const char* version();
const char* commit();
/// The instruction set that was asked for at build time: "native", "x86-64-v3", ...
const char* architecture();
/// What decides the bits of results besides the source: compiler, its optimisation, the CPU that it
/// compiled for, SIMD width. "GNU 12.2.0 -O3, znver3, 512 bits"
const char* build_target();
/// Width of the SIMD registers that the library was compiled for.
int simd_bits();

}  // namespace resilin
