#pragma once

#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/sea/forcing/entry.hpp"

namespace groundswell::sea {

/// An analytic field, for tests and studies: amplitude · g(s) · cos(2π (t − high)/period), with s the distance in metres
/// from the great circle through `centre` towards `along`, positive to its right; for a ring, from the centre itself.
struct ShapeOptions {
    enum class Profile {
        everywhere,  ///< g = 1
        jet,         ///< exp(−s²/2w²)
        step,        ///< ½(1 + tanh(s/w)): from 0 on the left to 1 on the right
        ramp,        ///< 0 up to s = −w, 1 from w on, linear between
        ring,        ///< a vortex: speed (s/w) exp(½(1 − s²/w²)), anticlockwise
    };
    Profile profile = Profile::everywhere;
    std::vector<double> amplitude;           ///< [component]; of a ring its first number is the largest speed
    double longitude = 0.0, latitude = 0.0;  ///< rad, of the centre
    double along = 0.0;                      ///< rad, bearing clockwise from north
    double width = 0.0;                      ///< m; w above
    double period = 0.0;                     ///< s; 0: steady
    base::Instant high{};                    ///< when the cosine is 1
    bool add = false;                        ///< to what stands above
};

class ShapeEntry final : public ForcingEntry {
public:
    ShapeEntry(std::string name, ShapeOptions options)
        : name_(std::move(name)), options_(std::move(options)) {}

    std::string_view key() const override { return "shape"; }
    std::string value() const override { return name_; }
    Blend blend() const override { return options_.add ? Blend::add : Blend::none; }
    std::unique_ptr<ForcingLayer> make(const LayerPlace& place) const override;

private:
    std::string name_;
    ShapeOptions options_;
};

/// Reads an entry with the key `shape`.
std::shared_ptr<const ForcingEntry> read_shape_entry(const simulation::Section& section,
                                                     const ForcingKind& kind);

}  // namespace groundswell::sea
