#pragma once

#include <cstddef>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/device/view.hpp"
#include "groundswell/quake/kernels/kernels.hpp"

namespace groundswell::quake {

/// The kernels of one order for devices.
template <class Real>
struct DeviceKernels {
    /// For Elements in the order in which a device has them: layout, work and `differentiate`, on the processor.
    Kernels<Real> elements{};
    struct Waves {  // of one equation
        RowTables<Real> rows{};
        exec::Program predict{}, correct{};
        /// Bytes of a block: of predictors for one rate, and of correctors.
        std::size_t (*predictor_scratch)(int rate, int mechanisms) = nullptr;
        std::size_t corrector_scratch = 0;
    };
    Waves rock{}, water{};
    Waves anisotropic{};  ///< and of what touches such rock; none where the stress remembers
    exec::Program look{}, look_at_anisotropic{}, probe{}, probe_anisotropic{};
    exec::Program add_sides{}, move_sides{}, relax{}, meet_sea{};
    /// Bytes of a block that looks at sides or places.
    std::size_t (*look_scratch)(int mechanisms) = nullptr;
    int most_lanes = 0;  ///< of a block
};

/// Elastic waves, order 2 to 7, or viscoelastic ones by 1 to 8 mechanisms.
template <class Real>
const DeviceKernels<Real>& wave_device_kernels(int order, int mechanisms = 0);

}  // namespace groundswell::quake
