// Float vectors of the renderer. Pictures need no more precision: positions are centred and scaled in double
// before.
#pragma once
#include <cmath>

namespace resilin::draw {

struct F3 {
  float x = 0, y = 0, z = 0;
};

inline F3 operator+(F3 a, F3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline F3 operator-(F3 a, F3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline F3 operator*(F3 a, F3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline F3 operator*(float s, F3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline F3& operator+=(F3& a, F3 b) { return a = a + b; }
inline float dot(F3 a, F3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline F3 cross(F3 a, F3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(F3 a) { return std::sqrt(dot(a, a)); }
/// Zero stays zero.
inline F3 normalised(F3 a) {
  const float l = length(a);
  return l > 0 ? (1 / l) * a : a;
}
/// Some unit vector at right angles to the unit vector `a`.
inline F3 perpendicular(F3 a) { return normalised(cross(a, std::abs(a.x) < 0.7f ? F3{1, 0, 0} : F3{0, 1, 0})); }
inline F3 mix(F3 a, F3 b, float t) { return a + t * (b - a); }
inline float clamp01(float t) { return t < 0 ? 0 : t > 1 ? 1 : t; }
inline float smoothstep(float a, float b, float t) {
  const float s = clamp01((t - a) / (b - a));
  return s * s * (3 - 2 * s);
}

}  // namespace resilin::draw
