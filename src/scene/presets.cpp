#include "scene/presets.h"

namespace resilin {

// Rubber and gel are almost incompressible (Poisson ratio above 0.499). Linear tets lock there, so that presets
// stop at 0.47.
const std::vector<MaterialPreset>& material_presets() {
  static const std::vector<MaterialPreset> list = {
      {"rubber", "neo_hookean", 2e6, 0.47, 925,
       "Ashby, Materials Selection in Mechanical Design, Appendix A: natural rubber, E 1.5-2.5 MPa, 920-930 "
       "kg/m^3"},
      {"gel", "neo_hookean", 2e4, 0.45, 1010,
       "Hall et al. 1997, Phantom materials for elastography: gelatine gels, E of the order of 10 kPa, density of "
       "water"},
      {"foam", "fixed_corotated", 1e6, 0.25, 50,
       "Ashby, Appendix A: flexible polymer foam of low density, E 1-3 MPa, 38-70 kg/m^3, Poisson ratio 0.23-0.33"},
      {"muscle", "neo_hookean", 5e4, 0.45, 1060,
       "Fung, Biomechanics: passive skeletal muscle, E 10-100 kPa at small strain; density 1060 kg/m^3"},
  };
  return list;
}

// Kawabata's tests (KES-F) pull with up to 500 gf/cm = 490 N/m and bend by hand-sized curvatures; 1 gf cm^2/cm =
// 9.8e-5 N m. Fabrics differ by a factor of two and more, between warp and weft too: numbers are orders of
// magnitude.
const std::vector<SheetPreset>& sheet_presets() {
  static const std::vector<SheetPreset> list = {
      {"silk", "corotated", 0.052, 1e-4, 1.2e4, 3e-6, 0.3,
       "12 momme (4.34 g/m^2 each); Kawabata 1980, KES-F of thin dress fabrics: 4 % at 490 N/m, 0.03 gf cm^2/cm; "
       "order of magnitude"},
      {"cotton", "corotated", 0.12, 2.5e-4, 1e4, 8e-6, 0.3,
       "shirting of 120 g/m^2; Kawabata 1980, KES-F of shirt fabrics: 5 % at 490 N/m, 0.08 gf cm^2/cm; order of "
       "magnitude"},
      {"denim", "corotated", 0.407, 8e-4, 2e4, 8e-5, 0.3,
       "12 oz/yd^2 (33.9 g/m^2 each); KES-F of heavy twills: 2.5 % at 490 N/m, 0.8 gf cm^2/cm; order of magnitude"},
      {"paper", "corotated", 0.08, 1e-4, 4e5, 3.7e-4, 0.3,
       "office paper of 80 g/m^2, 0.1 mm; Alava and Niskanen 2006, The physics of paper: E of a few GPa, here 4 "
       "GPa; bending by plate theory"},
      {"rubber_sheet", "neo_hookean", 0.925, 1e-3, 2e3, 2.1e-4, 0.47,
       "1 mm of natural rubber; Ashby, Appendix A: E 1.5-2.5 MPa, 920-930 kg/m^3; bending by plate theory"},
  };
  return list;
}

}  // namespace resilin
