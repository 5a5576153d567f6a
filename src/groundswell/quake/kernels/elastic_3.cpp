#include "groundswell/quake/kernels/elastic.hpp"

namespace groundswell::quake {

template const Kernels<float>& elastic_of_order<float, 3>();
template const Kernels<double>& elastic_of_order<double, 3>();

}  // namespace groundswell::quake
