#include "groundswell/quake/kernels/elastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& elastic_of_order<float, 6>();
template const Kernels<double>& elastic_of_order<double, 6>();

}  // namespace groundswell::quake
