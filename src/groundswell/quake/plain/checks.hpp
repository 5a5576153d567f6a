#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/exec/kernel_check.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

/// Makes the stress of a liquid, of which one function's coefficients are given, a pressure: that of the stress along x.
template <class Real>
void bear_no_shear(Wavefield<Real>& field, std::int32_t cell, int function) {
    for (int q = Elastic::yy; q < Elastic::vx; ++q)
        field.coefficient(cell, function, q) =
            q < Elastic::xy ? field.coefficient(cell, function, Elastic::xx) : Real{};
}

/// Holds kernels against the scheme as papers write it, with dense matrices and eigenvectors, in elements all over this rank's
/// part whose neighbours step with them: "predictor", "local", "neighbour"; where faults can break "fault sides", and "fault
/// friction" against the law computed one face at a time. Before the first step, and with what the wave field and its faults
/// hold at random: the wave field is zero afterwards, faults are as they were. Not collective.
template <class Real>
std::vector<exec::KernelCheck> check_kernels(Wavefield<Real>& field, const tetra::LocalMesh& mesh,
                                             std::span<const Material> material,
                                             const Attenuation* attenuation, int clusters);

}  // namespace groundswell::quake
