// The look, that of `resilin render` (src/render/shade.cpp): a soft sun, light of the sky where it is open, light from the ground.

export const SKY = 16; // directions from which the sky's light comes
const SKY_SIDE = 4; // tiles of the atlas along a side

const COMMON = /* glsl */ `
precision highp float;
precision highp sampler2DShadow;
vec3 srgb(vec3 l) {
  l = clamp(l, 0.0, 1.0);
  return mix(12.92 * l, 1.055 * pow(l, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, l));
}
vec3 linear(vec3 s) { return mix(s / 12.92, pow((s + 0.055) / 1.055, vec3(2.4)), step(0.04045, s)); }
`;

const LIGHT = /* glsl */ `
uniform sampler2DShadow sunMap;
uniform mat4 sunMatrix;      // world to the map, [0, 1] each
uniform float sunTexel;      // [m]
uniform float sunSoftness;   // radius of the penumbra, of the map
uniform vec3 towardsSun;
uniform vec3 up;
#ifdef SKY_MAPS
uniform sampler2DShadow skyMap;
uniform mat4 skyMatrix[${SKY}];
uniform vec3 skyDirection[${SKY}];
uniform float skyTexel;
#endif

// Interleaved gradient noise (Jimenez 2014): turns disks of samples from pixel to pixel, so that steps become a fine grain.
float grain() { return fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))); }

vec2 grainDirection() {
  float angle = 6.2831853 * grain();
  return vec2(cos(angle), sin(angle));
}
const mat2 golden = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);  // a turn by the golden angle
const vec3 sunLight = vec3(1.50, 1.43, 1.33), skyLight = vec3(0.74, 0.78, 0.84), bounceLight = vec3(0.34, 0.33, 0.32);

// Disks of samples, the first ones on the rim: when they agree, the rest need not be asked.
float sunlit(vec3 point, vec3 normal, float offset, float softness) {
  vec3 p = (sunMatrix * vec4(point + offset * normal, 1.0)).xyz;
  if (any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0)))) return 1.0;
#ifdef SKY_MAPS
  const int rim = 6, inner = 18;
  const mat2 turn = mat2(0.5, 0.8660254, -0.8660254, 0.5);
#else
  const int rim = 3, inner = 6;
  const mat2 turn = mat2(-0.5, 0.8660254, -0.8660254, -0.5);
#endif
  float sum = 0.0;
  vec2 at = vec2(softness, 0.0);
  for (int i = 0; i < rim; ++i, at = turn * at) sum += texture(sunMap, vec3(p.xy + at, p.z));
  if (sum == 0.0 || sum == float(rim)) return sum / float(rim);
  at = softness * grainDirection();
  for (int i = 0; i < inner; ++i, at = golden * at) sum += texture(sunMap, vec3(p.xy + sqrt((float(i) + 0.5) / float(inner)) * at, p.z));
  return sum / float(rim + inner);
}

#ifdef SKY_MAPS
float skyAt(int i, vec3 p) {
  vec2 tile = vec2(float(i % ${SKY_SIDE}), float(i / ${SKY_SIDE}));
  return texture(skyMap, vec3((tile + clamp(p.xy, 0.004, 0.996)) / ${SKY_SIDE}.0, p.z));
}
// The mean over a disk, of two pairs that lie across each other.
float skyAround(int i, vec3 p, vec2 a, vec2 b) {
  vec3 u = vec3(a, 0.0), v = vec3(-b.y, b.x, 0.0);
  return 0.25 * (skyAt(i, p + u) + skyAt(i, p - u) + skyAt(i, p + v) + skyAt(i, p - v));
}
#endif

// How much of the sky a point sees. softness: radius of the disks of samples, of a tile; for the ground, which is not in the maps.
float openSky(vec3 point, vec3 normal, float softness) {
#ifdef SKY_MAPS
  float sum = 0.0, total = 0.0;
  vec3 from = point + 1.6 * skyTexel * normal;
  vec2 at = softness * grainDirection();
  float share = grain();
  for (int i = 0; i < ${SKY}; ++i, at = golden * at, share = fract(share + 0.618034)) {
    total += dot(skyDirection[i], up);
    float cosine = dot(normal, skyDirection[i]);
    if (cosine <= 0.0) continue;
    vec3 p = (skyMatrix[i] * vec4(from, 1.0)).xyz;
    bool outside = any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)));
    sum += cosine * (outside ? 1.0 : softness == 0.0 ? skyAt(i, p) : skyAround(i, p, sqrt(share) * at, sqrt(fract(share + 0.5)) * at));
  }
  return sum / total;
#else
  return 0.5 + 0.5 * dot(normal, up);
#endif
}
`;

const VIRIDIS = /* glsl */ `
uniform vec3 viridis[9];
vec3 mapColour(float t) {
  float at = clamp(t, 0.0, 1.0) * 8.0;
  int k = min(int(at), 7);
  return linear(mix(viridis[k], viridis[k + 1], at - float(k)));
}
`;

export const body = {
  vertex: /* glsl */ `
    ${COMMON}
    in vec3 colour;
    in float sided;  // 1: of a closed body
    in float value;
    out vec3 vPoint, vNormal, vColour;
    out float vValue, vClosed;
    void main() {
      vPoint = position, vNormal = normal, vColour = colour, vValue = value, vClosed = sided;
      gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
    }`,
  fragment: /* glsl */ `
    ${COMMON}
    ${LIGHT}
    ${VIRIDIS}
    uniform int colouring;  // 0: bodies, 1: a scale, 2: labels
    uniform vec2 range;
    uniform vec3 labels[8];
    in vec3 vPoint, vNormal, vColour;
    in float vValue, vClosed;
    out vec4 outColour;
    void main() {
      vec3 view = normalize(cameraPosition - vPoint), n = normalize(vNormal);
      bool behind = dot(n, view) < 0.0 && !gl_FrontFacing || !gl_FrontFacing;
      if (behind) n = -n;
      vec3 albedo = vColour;
      if (colouring == 1) albedo = mapColour((vValue - range.x) / max(range.y - range.x, 1e-30));
      if (colouring == 2) albedo = labels[int(vValue + 0.5) % 8];
      if (behind && vClosed < 0.5 && colouring == 0) albedo = mix(albedo, vec3(0.6), 0.45);
      float cosine = dot(n, towardsSun);
      float lit = cosine > 0.0 ? sunlit(vPoint, n, 2.5 * sunTexel, 0.6 * sunSoftness) : 0.0;
      float open = openSky(vPoint, n, 0.0), bounce = 0.5 - 0.5 * dot(n, up);
      vec3 light = max(cosine, 0.0) * lit * sunLight + open * skyLight + bounce * bounceLight;
      if (vClosed < 0.5 && cosine < 0.0) light += 0.34 * -cosine * sunLight;  // cloth lets some light through
      vec3 halfway = normalize(view + towardsSun);
      float shine = lit * pow(max(0.0, dot(n, halfway)), 38.0) * 0.16;
      float rim = pow(1.0 - max(0.0, dot(n, view)), 4.0) * 0.16 * open;
      outColour = vec4(srgb(0.74 * albedo * light + shine + rim * skyLight), 1.0);
    }`,
};

export const ground = {
  vertex: /* glsl */ `
    ${COMMON}
    out vec3 vPoint;
    void main() {
      vPoint = (modelMatrix * vec4(position, 1.0)).xyz;
      gl_Position = projectionMatrix * viewMatrix * vec4(vPoint, 1.0);
    }`,
  fragment: /* glsl */ `
    ${COMMON}
    ${LIGHT}
    uniform vec3 floorColour, along, across, centre, gridOrigin;
    uniform float radius, grid, ink;
    in vec3 vPoint;
    out vec4 outColour;
    float line(float s) {
      float width = fwidth(s), off = abs(fract(s + 0.5) - 0.5);
      return clamp(1.2 - off / width, 0.0, 1.0) * clamp(1.0 / (8.0 * width), 0.0, 1.0);
    }
    void main() {
      float away = length(vPoint - centre) / radius, presence = 1.0 - smoothstep(1.6, 4.2, away);
      vec3 from = vPoint - gridOrigin;
      float lines = max(line(dot(from, along) / grid), line(dot(from, across) / grid));
      if (presence <= 0.0) discard;
      float lit = sunlit(vPoint, up, sunTexel, sunSoftness);
#ifdef SKY_MAPS
      float open = openSky(vPoint, up, 0.05);
#else
      float open = 1.0;
#endif
      float light = (1.0 + ink * presence * lines) * (0.5 * lit + 0.5 * open);
      // Shadows are a little blue: what is left is the sky's light.
      vec3 colour = floorColour * (vec3(light) + vec3(0.0, 0.012, 0.03) * (1.0 - lit));
      outColour = vec4(srgb(colour), presence);
    }`,
};

export const background = {
  vertex: /* glsl */ `
    out vec2 vAt;
    void main() {
      vAt = 0.5 + 0.5 * position.xy;
      gl_Position = vec4(position.xy, 1.0, 1.0);
    }`,
  fragment: /* glsl */ `
    ${COMMON}
    uniform vec3 top, bottom;
    in vec2 vAt;
    out vec4 outColour;
    void main() {
      float dx = vAt.x - 0.5;
      vec3 colour = mix(top, bottom, smoothstep(-0.15, 0.85, 1.0 - vAt.y - 0.25 * dx * dx));
      // Half a level of noise, against bands.
      float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
      outColour = vec4(srgb(colour) + noise / 255.0, 1.0);
    }`,
};

export const depth = {
  vertex: /* glsl */ `
    void main() { gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }`,
  fragment: /* glsl */ `
    precision highp float;
    void main() {}`,
};

/** Round marks of a constant size on the screen. */
export const mark = {
  vertex: /* glsl */ `
    uniform float size;
    void main() {
      gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
      gl_Position.z -= 0.002 * gl_Position.w;
      gl_PointSize = size;
    }`,
  fragment: /* glsl */ `
    ${COMMON}
    uniform vec3 fill, ring;
    out vec4 outColour;
    void main() {
      float r = 2.0 * length(gl_PointCoord - 0.5);
      if (r > 1.0) discard;
      outColour = vec4(mix(fill, ring, smoothstep(0.55, 0.7, r)), 1.0 - smoothstep(0.85, 1.0, r));
    }`,
};

export const line = {
  vertex: /* glsl */ `
    in vec3 colour;
    out vec3 vColour;
    void main() {
      vColour = colour;
      gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
      gl_Position.z -= 0.0004 * gl_Position.w;
    }`,
  fragment: /* glsl */ `
    ${COMMON}
    uniform vec4 tint;  // over the colour
    uniform float opacity;
    in vec3 vColour;
    out vec4 outColour;
    void main() { outColour = vec4(srgb(mix(vColour, tint.rgb, tint.a)), opacity); }`,
};
