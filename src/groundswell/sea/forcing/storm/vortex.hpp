#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/sea/forcing/entry.hpp"
#include "groundswell/sea/forcing/storm/options.hpp"
#include "groundswell/sea/forcing/storm/track.hpp"
#include "groundswell/sea/forcing/storm/vortex_shape.hpp"

namespace groundswell::sea {

/// A storm at one moment, ready to give the wind anywhere.
///
/// The wind is that of the round storm, cyclonic and turned inward by the inflow angle, plus a part of the
/// storm's motion, turned cyclonically (Lin & Chavas 2012, doi 10.1029/2011JD017126: 0.55 and 20°), which
/// fades away from the radius of maximum wind; see motion_felt(). The round storm differs by quadrant, and
/// its maximum is such that the strongest wind anywhere is the track's times `wind_factor`.
///
/// Between two fixes their shapes go over into each other, linear in time: the radii of maximum wind and the
/// sizes, and at the same share of the way between these two (in ln r) the winds. The same goes for the way
/// from one quadrant to the next.
class VortexAtTime {
public:
    VortexAtTime(const VortexOptions& options, const StormState& state, const VortexShape& earlier,
                 const VortexShape& later, double share);

    struct Wind {
        double eastward, northward;  // m s⁻¹
        double weight;               // 1 within blend_inner gale radii, 0 beyond blend_outer
    };
    /// `at`: a place on the unit sphere.
    Wind wind(const Vector3& at) const;

    double outer_radius() const { return outer_; }  ///< m: beyond it the weight is 0

private:
    struct Quadrant {
        double log_radius_max_wind, log_size;
        std::array<const VortexShape::Quadrant*, 2> at_fix;
        std::array<double, 2> length_at_fix;  // ln(size / radius of maximum wind)
    };
    double relative_wind(const Quadrant& quadrant, double distance, double length) const;

    const VortexOptions& options_;
    StormState state_;
    std::array<double, 2> weights_;  // of the fixes' relative winds
    double outer_inflow_;
    double rotation_;         // +1 anticlockwise (north), −1 clockwise (south)
    double round_strongest_;  // m s⁻¹
    Vector3 east_, north_;    // at the centre
    Vector3 drift_;           // m s⁻¹, what the motion adds at the radius of maximum wind
    std::array<Quadrant, 4> quadrants_;
    double outer_ = 0.0;  // m
};

/// The wind of a storm that follows a track, blended over the wind below it.
///
/// In time: a track speaks for 6 hours before its first and after its last fix (the storm keeps its motion
/// and its strength). Over another wind the storm then fades out within 6 hours more; with nothing below, the
/// run may not go beyond those 6 hours. Over another wind it also fades towards fixes at which the storm is no longer, or not yet, a
/// tropical cyclone, and counts nothing between two of these.
class Vortex final : public ForcingLayer {
public:
    static constexpr double held_seconds = 6.0 * 3600.0;    ///< beyond the track's ends at full weight
    static constexpr double fading_seconds = 6.0 * 3600.0;  ///< then down to none

    /// `case_file` names the case in messages about the options. Throws base::Refusal: options out of range,
    /// see read_track(), a track that does not cover the run while `over_another_wind` is false.
    Vortex(std::string_view case_file, const VortexOptions& options, std::span<const double> longitude,
           std::span<const double> latitude, base::Instant start, base::Instant end, bool over_another_wind);

    void apply(base::Instant time, ForcingValues values) override;

private:
    double weight_in_time(base::Instant time) const;
    const VortexShape& shape(std::size_t fix, std::size_t other);

    VortexOptions options_;
    std::vector<Vector3> cells_;  // [owned] on the unit sphere
    std::optional<Track> track_;
    bool over_another_wind_;
    /// Those of the fixes around the time last asked for: a track may have many, and fitting one takes its time.
    struct ShapeOfFix {
        std::size_t fix;
        VortexShape shape;
    };
    std::optional<ShapeOfFix> shapes_[2];
};

}  // namespace groundswell::sea
