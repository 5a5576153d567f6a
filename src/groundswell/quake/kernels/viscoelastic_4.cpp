#include "groundswell/quake/kernels/viscoelastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& viscoelastic_of_order<float, 4>(int);
template const Kernels<double>& viscoelastic_of_order<double, 4>(int);

}  // namespace groundswell::quake
