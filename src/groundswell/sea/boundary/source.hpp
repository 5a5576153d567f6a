#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "groundswell/base/time.hpp"
#include "groundswell/sea/boundary/open_faces.hpp"
#include "groundswell/sea/boundary/section.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// One [[boundary]] on faces of this rank: a function of a face's place and of time alone.
class BoundarySource {
public:
    virtual ~BoundarySource() = default;
    /// To be called before spectrum() of the same time. Throws base::Refusal for what a file turns out to hold.
    virtual void read(base::Instant time) = 0;
    /// Sets action[bins] beyond face `face` of those that it was made for, true north up.
    virtual void spectrum(std::size_t face, Real* action) const = 0;
    /// The largest share of the variance of a station's spectrum in the period that lies outside the model's frequencies, and
    /// where and when: for a warning. As far as one in a few times shows it.
    struct Loss {
        double share = 0.0;
        std::string where;
    };
    virtual Loss find_loss() { return {}; }
};

/// Throws base::Refusal. Not collective.
std::unique_ptr<BoundarySource> make_boundary_source(const BoundarySection& section,
                                                     const std::string& case_file, const SpectralGrid& grid,
                                                     std::span<const OpenFace> faces, base::Instant start,
                                                     base::Instant end);

}  // namespace groundswell::sea
