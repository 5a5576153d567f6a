#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/fault_sides.hpp"
#include "groundswell/quake/fault/grid_values.hpp"
#include "groundswell/quake/fault/laws/friction.hpp"
#include "groundswell/quake/fault/laws/law.hpp"
#include "groundswell/quake/fault/rule.hpp"
#include "groundswell/quake/fault/thermal.hpp"
#include "groundswell/quake/values/by_depth.hpp"
#include "groundswell/quake/values/random_field.hpp"

/// Stress and friction of a fault, as a case states them: which law it follows, and at each of its places the initial stress and the numbers
/// of the law.
namespace groundswell::quake {

/// Directions at a place of a fault, each of length 1.
struct FaultFrame {
    std::array<double, 3> normal;  ///< from the + side to the − side
    std::array<double, 3>
        strike;  ///< horizontal, (n_y, −n_x, 0): the normal lies to the left of it seen from above
    std::array<double, 3> dip;  ///< in the fault, across strike, downwards
};

/// Traction of a stress (xx yy zz xy yz xz) on a plane with this normal.
inline tetra::Point traction_on(const std::array<double, 3>& n, const std::array<double, 6>& s) {
    return {s[0] * n[0] + s[3] * n[1] + s[5] * n[2], s[3] * n[0] + s[1] * n[1] + s[4] * n[2],
            s[5] * n[0] + s[4] * n[1] + s[2] * n[2]};
}

/// The frame of a face with this normal. A horizontal face has strike along x, and dip along y if its normal points up, else
/// against it.
FaultFrame frame_of(const std::array<double, 3>& normal);

/// A place of a fault, of which is asked what acts there.
struct FaultSpot {
    tetra::Point place;
    FaultFrame frame;
    double mu;  ///< Pa, see shear_modulus_between
    int tag;    ///< of the fault, as the mesh has it
};

/// An episode in which rupture is made to begin: from a time on, over a duration, everywhere at once or from a place outwards.
struct NucleationEpisode {
    double start = 0.0, duration = 0.0;  ///< s
    double speed = 0.0;                  ///< m s⁻¹; 0: everywhere at once
    tetra::Point from{};                 ///< m

    bool operator==(const NucleationEpisode&) const = default;
};
inline constexpr std::size_t most_episodes = 4;

/// At one place of a fault.
struct FaultPoint {
    /// Initial traction that the − side's ground exerts on the + side: normal (tension positive), along strike, along dip; Pa.
    std::array<double, 3> traction{};
    /// Done by an episode of nucleation in the end: stress that is added, in the same way; the share of what pressure gives to
    /// strength that is taken away; and how much later than the episode it begins there, s.
    struct Nucleation {
        std::array<double, 3> traction{};
        double strength = 0.0, delay = 0.0;
    };
    std::array<Nucleation, most_episodes> nucleation{};
    std::array<double, most_law_parameters> parameter{};  ///< [LawDescription::at_places]
    std::array<double, thermal_parameters> thermal{};     ///< where slip heats
};

/// A region's stress, by what acts along the vertical and two horizontal directions, Pa, tension positive.
struct RegionalStress {
    ValueByDepth most, least;  ///< horizontal: the most compressive one, and that at a right angle to it
    ValueByDepth vertical;
    double azimuth = 0.0;  ///< of the most compressive one, degrees clockwise from y

    /// xx yy zz xy yz xz in the mesh's axes.
    std::array<double, 6> at(double z) const;
};

/// Region in which an entry holds, as a weight from 0 to 1.
struct FaultRegion {
    enum class Shape { everywhere, box, sphere };
    /// Decrease of the weight with the distance d from the box or sphere, over a width w: at once; 1 − d/w; ½(1 + cos πd/w);
    /// along each axis ½(1 + tanh(w/(d − w) + w/d)), as the community's benchmarks have it; and within a sphere of radius R
    /// exp(r²/(r² − R²)) of the distance r from its middle.
    enum class Taper { none, linear, cosine, boxcar, exponential };
    Shape shape = Shape::everywhere;
    tetra::Point lowest{}, highest{};  ///< of a box, m; infinite where it has no end
    tetra::Point centre{};             ///< of a sphere, m
    double radius = 0.0;               ///< m
    Taper taper = Taper::none;
    double width = 0.0;    ///< m
    bool outside = false;  ///< 1 less the weight instead

    double weight(const tetra::Point& place) const;
};

/// One entry [[fault.set]]: what it says holds where its weight is 1, and is mixed with what was said before where it is less.
struct FaultEntry {
    FaultRegion where;
    std::vector<int> tags;                      ///< of the faults on which it holds; none: on all of them
    bool add = false;                           ///< times the weight, to what was said before
    std::shared_ptr<const RandomField> random;  ///< that the weight is multiplied by, if there is one
    std::vector<std::pair<std::size_t, ValueByDepth>> parameter;  ///< place in LawDescription::at_places
    /// xx yy zz xy yz xz in the mesh's axes; normal, strike and dip of the fault's frame; Pa.
    std::array<std::optional<ValueByDepth>, 6> stress, nucleation_stress;
    std::array<std::optional<ValueByDepth>, 3> traction, nucleation_traction;
    std::optional<ValueByDepth> nucleation_strength;
    std::array<std::optional<ValueByDepth>, thermal_parameters> thermal;
    NucleationEpisode nucleation;            ///< duration 0: that of all
    std::size_t episode = 0;                 ///< which of FaultOptions::episodes
    std::optional<RegionalStress> regional;  ///< in place of stress
    /// Pa: all stress and tractions here, a grid's too, are for rock of this shear modulus, and in proportion for other rock;
    /// 0: for any rock.
    double reference_shear_modulus = 0.0;
    std::shared_ptr<FaultGrid>
        grid;               ///< and what stands on one, if there is any; loaded before the entry is asked
    std::string stated_at;  ///< in the case, FILE:LINE

    double weight(const FaultSpot& spot) const;
    double weight(const tetra::Point& place) const;  ///< on a fault for which the entry is
    bool nucleates() const;                          ///< by its own words; a grid tells once it is loaded
    bool may_stress() const;                         ///< says stress as a tensor, or has a grid, which may
    /// Factor on stress and tractions in rock of a shear modulus, Pa.
    double times(double mu) const {
        return reference_shear_modulus > 0.0 ? mu / reference_shear_modulus : 1.0;
    }
    /// Puts what the entry itself, not its grid, says of stress, so many times, in the place of what was said before, or adds
    /// it.
    void blend_stress(double weight, double times, double z, std::array<double, 6>& now) const;
};

/// When a run has nothing left to tell of its rupture.
struct RuptureEnd {
    double after = 0.0;         ///< s, for which nothing has slipped; 0: the run goes on to its end
    double slip_rate = 1e-3;    ///< m s⁻¹, at any point, below which it does not slip
    double moment_rate = 1e-3;  ///< of the largest so far
};

/// The section [fault] of a case.
struct FaultOptions {
    std::string law;
    std::vector<double> of_fault;  ///< LawDescription::of_fault
    FacePoints points = FacePoints::symmetric;
    FacePressure pressure = FacePressure::smooth;
    FrictionScheme scheme = {};
    bool unusual = false;              ///< stress that no fault bears is meant
    double nucleation_duration = 0.0;  ///< s, of entries that give none; 0: none
    std::vector<NucleationEpisode> episodes;
    RuptureEnd end;
    std::optional<ThermalNumbers> thermal;  ///< none: slip does not heat
    /// Files of slip rates, or of a kinematic rupture, for a law that chooses among them.
    std::vector<std::string> slip_rates;
    std::string rupture;
    double rupture_delay = 0.0;  ///< s
    tetra::PlusSide plus_side;
    std::vector<FaultEntry> entries;
    std::shared_ptr<GivenFriction> given;  ///< none: friction is the law's
    std::string stated_at;                 ///< in the case, FILE:LINE

    /// The initial stress at a place in rock of shear modulus `mu`, Pa: xx yy zz xy yz xz, Pa, what entries for all faults say
    /// as a tensor.
    std::array<double, 6> stress_at(const tetra::Point& place, double mu) const;
    /// Stress and friction at a place. base::Refusal where the law asks for a number that no entry says there.
    FaultPoint at(const FaultSpot& spot) const;
};

}  // namespace groundswell::quake
