#include "groundswell/quake/kernels/viscoelastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& viscoelastic_of_order<float, 6>(int);
template const Kernels<double>& viscoelastic_of_order<double, 6>(int);

}  // namespace groundswell::quake
