#include "groundswell/sea/clusters/device/image_step.hpp"
#include "groundswell/sea/forcing/device/wind_kernels.hpp"
#include "groundswell/sea/ice/device/damping_kernel.hpp"
#include "groundswell/sea/propagation/device/flow_step.hpp"
#include "groundswell/sea/propagation/device/more_inflow.hpp"
#include "groundswell/sea/propagation/second_order/profile_step.hpp"
#include "groundswell/sea/propagation/upwind/device_kernel.hpp"
#include "groundswell/sea/source/device/exchange/exchange_kernel.hpp"
#include "groundswell/sea/source/device/source_kernel.hpp"
#include "groundswell/sea/spectrum/device/sums_kernel.hpp"

namespace groundswell::sea {

const void* image_cuda_entry() {
    return nullptr;
}
const void* layer_cuda_entry() {
    return nullptr;
}
const void* felt_wind_cuda_entry() {
    return nullptr;
}
const void* ice_damping_cuda_entry() {
    return nullptr;
}
const void* more_inflow_cuda_entry() {
    return nullptr;
}
const void* flow_cuda_entry() {
    return nullptr;
}
const void* depth_cuda_entry() {
    return nullptr;
}
const void* second_order_cuda_entry(bool /*flows*/) {
    return nullptr;
}
const void* second_order_profiles_cuda_entry(bool /*flows*/) {
    return nullptr;
}
const void* moments_cuda_entry() {
    return nullptr;
}
const void* densities_cuda_entry() {
    return nullptr;
}
const void* products_cuda_entry() {
    return nullptr;
}
const void* systems_cuda_entry() {
    return nullptr;
}
const void* upwind_cuda_entry(bool /*four_directions*/) {
    return nullptr;
}
const void* source_cuda_entry() {
    return nullptr;
}
const void* exchange_cuda_entry() {
    return nullptr;
}

}  // namespace groundswell::sea
