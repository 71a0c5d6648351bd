// Colours of bodies and of values, those of `resilin render` (src/render/colours.cpp).

export const BODIES = [
  [74, 134, 201], [226, 108, 78], [58, 166, 140], [232, 184, 84], [139, 108, 190], [98, 182, 208], [214, 112, 150], [128, 150, 86],
];

// Nine points of matplotlib's viridis (CC0).
export const VIRIDIS = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
];

export const css = ([r, g, b]) => `rgb(${r}, ${g}, ${b})`;

/** sRGB of 0 to 255 to linear light of 0 to 1. */
export function linear(colour) {
  return colour.map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
}

export const THEMES = {
  light: { top: [205, 218, 233], bottom: [246, 247, 249], floor: [236, 236, 238], ink: -0.13, sky: 1 },
  dark: { top: [24, 29, 38], bottom: [44, 49, 58], floor: [58, 62, 70], ink: 0.22, sky: 0.82 },
};
