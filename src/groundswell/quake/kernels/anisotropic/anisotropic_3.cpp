#include "groundswell/quake/kernels/anisotropic.hpp"

namespace groundswell::quake {

template const Kernels<float>& anisotropic_of_order<float, 3>();
template const Kernels<double>& anisotropic_of_order<double, 3>();

}  // namespace groundswell::quake
