#include "groundswell/quake/kernels/elastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& elastic_of_order<float, 4>();
template const Kernels<double>& elastic_of_order<double, 4>();

}  // namespace groundswell::quake
