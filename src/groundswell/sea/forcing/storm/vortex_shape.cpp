#include "groundswell/sea/forcing/storm/vortex_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

constexpr double earth_rotation = 7.292115e-5;    // rad s⁻¹ (IERS conventions)
constexpr double least_pressure_deficit = 200.0;  // Pa: a track may put the centre at the ambient pressure
constexpr double most_felt_motion = 0.4;          // of the strongest wind
// How clearly one radius is inside another, and one wind above another.
constexpr double inside = 0.95, below = 0.97, above = 1.02;

double middle_of(std::size_t quadrant) {
    return (0.25 - 0.5 * static_cast<double>(quadrant)) * base::pi;
}

// The greatest x in [0, most] for which holds(x), which holds at 0 and then up to some point.
template <class Condition>
double greatest(double most, const Condition& holds) {
    if (holds(most)) return most;
    double low = 0.0, high = most;
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

constexpr double euler = 2.71828182845904523536;
constexpr double least_shape = 0.8, greatest_shape = 2.5;
constexpr double least_decay = 0.75, greatest_decay = 1.25;  // powers of the radius, beyond the known winds

// L of the header, for b ln(r/R) = `way`: 0 at R, rising to both sides.
double depth(double way) {
    return std::max(std::expm1(-way) + way, 0.0);
}

}  // namespace

std::array<double, 4> quadrant_shares(double azimuth) {
    // Quadrants from the middle of the north-east one, clockwise.
    const double turn = 0.5 - 2.0 * azimuth / base::pi;
    const double whole = std::floor(turn);
    const double over = 0.5 - 0.5 * std::cos(base::pi * (turn - whole));
    const auto first = static_cast<std::size_t>(static_cast<int>(whole) + 8) % 4;
    std::array<double, 4> shares = {};
    shares[first] = 1.0 - over;
    shares[(first + 1) % 4] = over;
    return shares;
}

double motion_felt(double ratio) {
    return 2.0 * ratio / (1.0 + ratio * ratio);
}

double strongest_round_wind(double strongest, const std::array<double, 4>& strengths,
                            std::complex<double> motion, double rotation, double outer_inflow) {
    const double turn = rotation * (0.5 * base::pi + inflow_angle(1.0, outer_inflow));
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 360; ++i) {
        const double azimuth = i * base::degree;
        const auto shares = quadrant_shares(azimuth);
        double strength = 0.0;
        for (std::size_t q = 0; q < 4; ++q) strength += shares[q] * strengths[q];
        // |round · wind direction + motion| = strongest
        const double along = std::real(motion * std::polar(1.0, -(azimuth + turn)));
        const double round = std::sqrt(along * along + strongest * strongest - std::norm(motion)) - along;
        least = std::min(least, round / strength);
    }
    return least;
}

VortexShape::VortexShape(const VortexOptions& options, const StormState& state, const WindRadii& radii)
    : options_(options),
      strongest_(std::max(options.wind_factor * state.max_wind, least_storm_wind)),
      rotation_(state.centre.z < 0.0 ? -1.0 : 1.0),
      outer_inflow_(options.inflow_angle * base::degree) {
    const Vector velocity = {dot(state.velocity, east_at(state.centre)),
                             dot(state.velocity, north_at(state.centre))};
    motion_share_ = options.translation_fraction;
    if (const double felt = motion_share_ * std::abs(velocity); felt > most_felt_motion * strongest_)
        motion_share_ *= most_felt_motion * strongest_ / felt;
    motion_ = motion_share_ * velocity * std::polar(1.0, rotation_ * options.translation_turn * base::degree);

    // Radii that say nothing count as not known.
    WindRadii used = radii;
    for (auto& quadrants : used)
        for (double& radius : quadrants) radius *= options.radii_factor;
    const std::array<double, 4> gales = used[0];
    for (std::size_t wind = 0; wind < used.size(); ++wind)
        if (options.profile == VortexProfile::holland1980 || state.max_wind < radius_winds[wind])
            used[wind].fill(std::numeric_limits<double>::quiet_NaN());
    limit_motion(used);
    limit_strength(used);
    const RoundStorm storm = {
        round_strongest_, state.radius_max_wind,
        std::max(state.ambient_pressure - state.central_pressure, least_pressure_deficit),
        2.0 * earth_rotation * std::abs(state.centre.z)};
    for (std::size_t q = 0; q < 4; ++q) quadrants_.push_back(fit(q, used, storm));
    if (options.profile == VortexProfile::holland2010) return;
    // Round: the circle with the area of the four quadrants.
    double squares = 0.0;
    for (const double radius : gales) squares += radius > 0.0 ? radius * radius : 0.0;
    if (squares > 0.0)
        for (Quadrant& quadrant : quadrants_)
            quadrant.size = std::max(3.0 * quadrant.radius_max_wind, std::sqrt(0.25 * squares));
}

// Where the wind blows to in the middle of a quadrant, at `ratio` radii of maximum wind.
VortexShape::Vector VortexShape::direction(std::size_t quadrant, double ratio) const {
    return std::polar(
        1.0, middle_of(quadrant) + rotation_ * (0.5 * base::pi + inflow_angle(ratio, outer_inflow_)));
}

// The round wind that the motion's part makes `total` there.
double VortexShape::round_wind(double total, std::size_t quadrant, double ratio) const {
    const Vector felt = motion_felt(ratio) * motion_;
    const double along = std::real(felt * std::conj(direction(quadrant, ratio)));
    const double square = total * total - std::norm(felt) + along * along;
    return std::max(std::sqrt(std::max(square, 0.0)) - along, 0.1 * total);
}

void VortexShape::limit_motion(const WindRadii& radii) {
    std::array<double, 4> needed = {};
    for (std::size_t wind = 0; wind < radii.size(); ++wind)
        for (std::size_t q = 0; q < 4; ++q)
            if (radii[wind][q] > 0.0) needed[q] = options_.wind_factor * radius_winds[wind];
    const double share = greatest(1.0, [&](double x) {
        const double round = strongest_ - x * std::abs(motion_);
        for (std::size_t q = 0; q < 4; ++q)
            if (std::abs(round * direction(q, 1.0) + x * motion_) < needed[q]) return false;
        return true;
    });
    motion_share_ *= share;
    motion_ *= share;
}

void VortexShape::limit_strength(const WindRadii& radii) {
    round_strongest_ = strongest_round_wind(strongest_, strengths_, motion_, rotation_, outer_inflow_);
    // A weaker quadrant may be where the strongest wind would be: then the others grow.
    for (int pass = 0; pass < 4; ++pass) {
        for (std::size_t q = 0; q < 4; ++q)
            for (std::size_t wind = radii.size(); wind-- > 0;)
                if (radii[wind][q] == 0.0) {
                    const double most = round_wind(options_.wind_factor * radius_winds[wind], q, 1.0);
                    strengths_[q] = std::clamp(most / round_strongest_, 0.1, 1.0);
                }
        round_strongest_ = strongest_round_wind(strongest_, strengths_, motion_, rotation_, outer_inflow_);
    }
}

VortexShape::Quadrant VortexShape::fit(std::size_t quadrant, const WindRadii& radii,
                                       const RoundStorm& storm) const {
    RoundStorm round = storm;
    round.max_wind *= strengths_[quadrant];
    const double strongest = std::abs(round.max_wind * direction(quadrant, 1.0) + motion_);
    std::vector<WindAtRadius> totals;  // from outside
    for (std::size_t wind = 0; wind < radii.size(); ++wind) {
        const double radius = radii[wind][quadrant], total = options_.wind_factor * radius_winds[wind];
        if (!(radius > 0.0) || (!totals.empty() && radius > inside * totals.back().radius)) continue;
        totals.push_back({radius, total});
        round.radius_max_wind =
            std::min(round.radius_max_wind, inside * radius * std::min(1.0, total / strongest));
    }
    std::vector<WindAtRadius> known;
    for (const WindAtRadius& wind : totals) {
        const double speed = std::min(round_wind(wind.speed, quadrant, wind.radius / round.radius_max_wind),
                                      below * round.max_wind);
        if (known.empty() || speed > above * known.back().speed) known.push_back({wind.radius, speed});
    }
    std::reverse(known.begin(), known.end());
    const VortexWind wind(options_.profile, round, known);

    double size = radii[0][quadrant];
    const double gale = options_.wind_factor * radius_winds[0];
    if (size == 0.0)  // no gale here: the storm is less wide, but not gone
        size = 0.5 * *std::max_element(radii[0].begin(), radii[0].end());
    else if (std::isnan(size))  // not known: left to the profile
        size = round.radius_max_wind * std::exp(greatest(std::log(100.0), [&](double distance) {
                   return distance == 0.0 || round.max_wind * wind.relative(distance) > gale;
               }));
    return {round.radius_max_wind, std::max(size, 3.0 * round.radius_max_wind), strengths_[quadrant], wind};
}

VortexWind::VortexWind(VortexProfile profile, const RoundStorm& storm, std::span<const WindAtRadius> known)
    : profile_(profile), storm_(storm), pressure_deficit_(storm.pressure_deficit) {
    GS_ASSERT(storm.max_wind > 0.0 && storm.radius_max_wind > 0.0 && storm.pressure_deficit > 0.0);
    if (profile == VortexProfile::holland1980) {
        // Gradient balance at R, where the cyclostrophic part is B Δp/(ρ e).
        const double gradient = storm.max_wind / surface_wind_ratio;
        const double needed = storm_air_density * euler * gradient *
                              (gradient + storm.coriolis * storm.radius_max_wind);  // B Δp
        shape_ = std::clamp(needed / storm.pressure_deficit, least_shape, greatest_shape);
        pressure_deficit_ = needed / shape_;
        return;
    }
    const double free = storm_air_density * euler * storm.max_wind * storm.max_wind / storm.pressure_deficit;
    shape_ = std::clamp(free, least_shape, greatest_shape);
    GS_ASSERT(known.size() < knots_.size());
    knots_[0] = {0.0, 0.0, 0.5};
    for (const WindAtRadius& wind : known) {
        Knot &before = knots_[knot_count_ - 1], &knot = knots_[knot_count_++];
        knot.at = depth(shape_ * std::log(wind.radius / storm.radius_max_wind));
        knot.value = std::log(storm.max_wind / wind.speed);
        GS_ASSERT(knot.at > before.at && knot.value > before.value);
        before.slope = (knot.value - before.value) / (knot.at - before.at);
        knot.slope = std::clamp(before.slope, least_decay / shape_, greatest_decay / shape_);
    }
}

double VortexWind::speed(double radius) const {
    return radius > 0.0 ? storm_.max_wind * relative(std::log(radius / storm_.radius_max_wind)) : 0.0;
}

double VortexWind::relative(double distance) const {
    return profile_ == VortexProfile::holland2010 ? holland2010(distance) : holland1980(distance);
}

double VortexWind::holland2010(double distance) const {
    const double at = depth(shape_ * distance);
    if (distance <= 0.0) return std::exp(-0.5 * at);
    std::size_t i = knot_count_ - 1;
    while (at < knots_[i].at) --i;
    return std::exp(-knots_[i].value - knots_[i].slope * (at - knots_[i].at));
}

double VortexWind::holland1980(double distance) const {
    const double power = std::exp(-shape_ * distance);
    const double cyclostrophic = shape_ * pressure_deficit_ * power * std::exp(-power) / storm_air_density;
    const double half_turn = 0.5 * storm_.coriolis * storm_.radius_max_wind * std::exp(distance);
    const double gradient = std::sqrt(cyclostrophic + half_turn * half_turn) - half_turn;
    return surface_wind_ratio * gradient / storm_.max_wind;
}

double inflow_angle(double ratio, double outer_angle) {
    if (ratio < 1.0) return 0.4 * outer_angle * ratio;
    return outer_angle * std::min(1.0, 0.4 + 3.0 * (ratio - 1.0));
}

}  // namespace groundswell::sea
