#include "groundswell/quake/kernels/anisotropic.hpp"

namespace groundswell::quake {

template const Kernels<float>& anisotropic_of_order<float, 5>();
template const Kernels<double>& anisotropic_of_order<double, 5>();

}  // namespace groundswell::quake
