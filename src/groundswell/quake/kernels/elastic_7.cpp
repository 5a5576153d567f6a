#include "groundswell/quake/kernels/elastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& elastic_of_order<float, 7>();
template const Kernels<double>& elastic_of_order<double, 7>();

}  // namespace groundswell::quake
