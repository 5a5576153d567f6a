#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/fields.hpp"

namespace groundswell::quake {

/// Values at a probe, so many seconds after the beginning of its step.
class Glimpsed final : public WaveSample {
public:
    Glimpsed(const Glimpse& glimpse, double seconds) : glimpse_(glimpse), seconds_(seconds) {}

    double unknown(int which) const override { return glimpse_.value(which, seconds_); }
    double slope(int which, int axis) const override { return glimpse_.slope(which, axis, seconds_); }
    double plastic_strain() const override { return 0.0; }
    double sea_surface() const override { return glimpse_.sea_surface(seconds_); }

private:
    const Glimpse& glimpse_;
    double seconds_;
};

/// Probe::gradient in a cell, if any of the fields asks for slopes.
inline decltype(Probe::gradient) gradient_for(const std::vector<const Field*>& fields,
                                              const tetra::Tetrahedron& cell) {
    if (std::ranges::none_of(fields,
                             [](const Field* field) { return field != nullptr && field->has_slopes; }))
        return std::nullopt;
    return tetra::geometry_of(cell.place).gradient;
}

}  // namespace groundswell::quake
