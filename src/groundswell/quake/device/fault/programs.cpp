#include "groundswell/quake/device/fault/programs.hpp"

#include "groundswell/quake/device/fault/cuda_entry.hpp"
#include "groundswell/quake/device/fault/feel.hpp"
#include "groundswell/quake/device/fault/solve.hpp"
#include "groundswell/quake/fault/laws/laws.hpp"

namespace groundswell::quake {

namespace {

template <class Law>
FaultPrograms programs_of() {
    if constexpr (chooses_series<Law>) {
        return {};  // the series are functions of the host
    } else {
        using Kernel = SolveFaultOnDevice<Law>;
        const auto scratch = [](int order, int points, int faces) {
            return static_cast<std::size_t>(Kernel::scratch_numbers(order, points, faces)) * sizeof(double);
        };
        return {{exec::run_block<Kernel>, cuda_entry_of_law(Law::name)}, scratch, Kernel::most_lanes};
    }
}

template <class... Law>
FaultPrograms find(LawList<Law...>, std::string_view name) {
    FaultPrograms found;
    ((Law::name == name ? void(found = programs_of<Law>()) : void()), ...);
    return found;
}

}  // namespace

FaultPrograms fault_programs(std::string_view law) {
    return find(FrictionLaws{}, law);
}

template <class Real>
exec::Program feel_program() {
    return {exec::run_block<FeelFaultOnDevice<Real>>, cuda_entry_of_feeling<Real>()};
}

template exec::Program feel_program<float>();
template exec::Program feel_program<double>();

}  // namespace groundswell::quake
