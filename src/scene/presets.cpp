#include "scene/presets.h"

namespace resilin {

// Rubber and gel are almost incompressible (Poisson ratio above 0.499). Linear tets lock there, so that presets stop at 0.47.
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

}  // namespace resilin
