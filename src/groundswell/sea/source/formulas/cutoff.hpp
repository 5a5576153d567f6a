#pragma once

#include <array>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Up to which frequency the spectrum is prognostic: a multiple of the mean frequency of wind sea or of all waves, whichever is
/// higher, and no less than one of the Pierson-Moskowitz frequency g/(28 · 2π u*) (IFS documentation 45r1, part VII).
class Cutoff {
public:
    static constexpr auto of_mean = Coefficient("tail_mean_frequency", 2.5, 1, 100, "",
                                                "diagnostic tail beyond this multiple of the mean frequency",
                                                "IFS documentation 45r1, part VII");
    static constexpr auto of_pierson_moskowitz =
        Coefficient("tail_pierson_moskowitz", 4.0, 0, 100, "", "… and of the Pierson-Moskowitz frequency",
                    "IFS documentation 45r1, part VII");
    static constexpr std::array coefficients{of_mean, of_pierson_moskowitz};

    explicit Cutoff(const PhysicsOptions& options)
        : mean_(options[of_mean]), pierson_moskowitz_(options[of_pierson_moskowitz]) {}

    /// Sets the wind sea's mean frequency and the cutoff, from the friction velocity of the cell and `fed_energy`: [frequencies] of
    /// what the wind feeds, ∫ E dθ, m² s.
    void find(const LaneTables& grid, const Real* fed_energy, SeaCell& sea) const;

private:
    double mean_, pierson_moskowitz_;
};

}  // namespace groundswell::sea
