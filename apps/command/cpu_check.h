// What the library was compiled for against what this CPU has.
#pragma once

namespace resilin::cli {

struct CpuFeatures {
  bool avx2 = false, fma = false, avx512f = false, avx512dq = false, avx512vl = false;
};

/// The first thing that is missing for registers of `simd_bits`, or null. A constant expression: nothing that could
/// itself have been compiled for another CPU.
constexpr const char* missing_feature(int simd_bits, const CpuFeatures& cpu) {
  if (simd_bits >= 256 && !cpu.avx2) return "AVX2";
  if (simd_bits >= 256 && !cpu.fma) return "FMA";
  if (simd_bits >= 512 && !cpu.avx512f) return "AVX-512F";
  if (simd_bits >= 512 && !cpu.avx512dq) return "AVX-512DQ";
  if (simd_bits >= 512 && !cpu.avx512vl) return "AVX-512VL";
  return nullptr;
}

}  // namespace resilin::cli
