#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Second-order profiles at the faces of images, as Propagator::use_images() and keep_half_profiles() say it.
class ImageProfiles {
public:
    /// M at half time, its gradient towards east and north.
    static constexpr int fields = 3;
    /// Rows of a slot for one frequency.
    using Rows = std::array<Real*, fields>;

    explicit ImageProfiles(const SpectralGrid& grid) : directions_(grid.directions), stride_(grid.stride()) {}

    void use(std::int32_t first, Real* profiles) {
        first_ = first;
        profiles_ = profiles;
    }
    void keep_half(std::span<const std::int32_t> image_of_cell, bool add) {
        image_of_cell_ = image_of_cell;
        add_ = add;
    }
    bool is_image(std::int32_t cell) const { return cell >= first_; }

    void read(std::int32_t image, int frequency, const Rows& to) const {
        for_each_row(image, frequency, to, [](Real& of_image, Real& of_slot) { of_slot = of_image; });
    }
    void write(std::int32_t image, int frequency, const Rows& from) const {
        for_each_row(image, frequency, from, [](Real& of_image, Real& of_slot) { of_image = of_slot; });
    }
    /// Where the owned cell has an image that is to be kept.
    void keep_half_of(std::int32_t cell, int frequency, const Rows& from) const {
        if (image_of_cell_.empty() || image_of_cell_[cell] < 0) return;
        const auto set = [](Real& of_image, Real& of_slot) { of_image = Real(0.5) * of_slot; };
        const auto add = [](Real& of_image, Real& of_slot) { of_image += Real(0.5) * of_slot; };
        if (add_)
            for_each_row(image_of_cell_[cell], frequency, from, add);
        else
            for_each_row(image_of_cell_[cell], frequency, from, set);
    }

private:
    template <class Act>
    void for_each_row(std::int32_t image, int frequency, const Rows& rows, const Act& act) const {
        Real* of_image = profiles_ + static_cast<std::size_t>(image - first_) * fields * stride_ +
                         static_cast<std::size_t>(frequency * directions_);
        for (Real* const row : rows) {
            for (int d = 0; d < directions_; ++d) act(of_image[d], row[d]);
            of_image += stride_;
        }
    }

    int directions_;
    std::size_t stride_;
    std::int32_t first_ = std::numeric_limits<std::int32_t>::max();
    Real* profiles_ = nullptr;
    std::span<const std::int32_t> image_of_cell_;  // empty: none is kept
    bool add_ = false;
};

}  // namespace groundswell::sea
