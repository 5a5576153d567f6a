#include "groundswell/quake/device/fault/cuda_entry.hpp"

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/quake/device/fault/feel.hpp"
#include "groundswell/quake/device/fault/solve.hpp"
#include "groundswell/quake/fault/laws/laws.hpp"

namespace groundswell::quake {
namespace {

template <class Law>
const void* entry_of() {
    if constexpr (chooses_series<Law>)
        return nullptr;
    else
        return exec::cuda_entry<SolveFaultOnDevice<Law>>();
}

template <class... Law>
const void* find(LawList<Law...>, std::string_view name) {
    const void* entry = nullptr;
    ((Law::name == name ? void(entry = entry_of<Law>()) : void()), ...);
    return entry;
}

}  // namespace

const void* cuda_entry_of_law(std::string_view law) {
    return find(FrictionLaws{}, law);
}

template <class Real>
const void* cuda_entry_of_feeling() {
    return exec::cuda_entry<FeelFaultOnDevice<Real>>();
}

template const void* cuda_entry_of_feeling<float>();
template const void* cuda_entry_of_feeling<double>();

}  // namespace groundswell::quake
