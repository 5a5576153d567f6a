#include "groundswell/quake/kernels/elastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& elastic_of_order<float, 2>();
template const Kernels<double>& elastic_of_order<double, 2>();

}  // namespace groundswell::quake
