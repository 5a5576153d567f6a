#include "groundswell/quake/kernels/anisotropic.hpp"

namespace groundswell::quake {

template const Kernels<float>& anisotropic_of_order<float, 4>();
template const Kernels<double>& anisotropic_of_order<double, 4>();

}  // namespace groundswell::quake
