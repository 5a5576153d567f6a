#include "groundswell/quake/fault/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

using tetra::dot;

// What a tensor (xx yy zz xy yz xz) is as a traction in the frame.
std::array<double, 3> traction_of(const std::array<double, 6>& s, const FaultFrame& frame) {
    const tetra::Point traction = traction_on(frame.normal, s);
    return {dot(traction, frame.normal), dot(traction, frame.strike), dot(traction, frame.dip)};
}

// What is said takes the place of what was said before, or is added to it. What is wholly replaced may have been nothing, or a
// number without limit, and is not reckoned with.
void blend(double& now, double said, double weight, bool add) {
    if (add)
        now += weight * said;
    else
        now = weight == 1.0 ? said : now + weight * (said - now);
}

template <std::size_t count>
void blend(std::array<double, count>& now, const std::array<std::optional<ValueByDepth>, count>& said,
           double times, double weight, bool add, double z) {
    for (std::size_t i = 0; i < count; ++i) {
        if (said[i]) blend(now[i], times * said[i]->at(z), weight, add);
    }
}

}  // namespace

FaultFrame frame_of(const std::array<double, 3>& n) {
    const double across = std::hypot(n[0], n[1]);
    std::array<double, 3> s{1.0, 0.0, 0.0};
    if (across > 1e-9) s = {n[1] / across, -n[0] / across, 0.0};
    return {n, s, {-s[1] * n[2], s[0] * n[2], s[1] * n[0] - n[1] * s[0]}};
}

double FaultRegion::weight(const tetra::Point& place) const {
    if (shape == Shape::everywhere) return 1.0;
    tetra::Point beyond{};  // by axis
    double distance = 0.0, within = 1.0;
    if (shape == Shape::box) {
        for (int i = 0; i < 3; ++i) beyond[i] = std::max({lowest[i] - place[i], place[i] - highest[i], 0.0});
        distance = std::sqrt(dot(beyond, beyond));
    } else {
        const tetra::Point from{place[0] - centre[0], place[1] - centre[1], place[2] - centre[2]};
        const double r2 = dot(from, from);
        distance = std::max(std::sqrt(r2) - radius, 0.0);
        if (taper == Taper::exponential)
            within = r2 < radius * radius ? std::exp(r2 / (r2 - radius * radius)) : 0.0;
    }
    switch (taper) {
        case Taper::none:
            within = distance > 0.0 ? 0.0 : 1.0;
            break;
        case Taper::linear:
            within = std::max(1.0 - distance / width, 0.0);
            break;
        case Taper::cosine:
            within = distance < width ? 0.5 * (1.0 + std::cos(base::pi * distance / width)) : 0.0;
            break;
        case Taper::boxcar:
            for (const double d : beyond) {
                if (d >= width)
                    within = 0.0;
                else if (d > 0.0)
                    within *= 0.5 * (1.0 + std::tanh(width / (d - width) + width / d));
            }
            break;
        case Taper::exponential:
            break;
    }
    return outside ? 1.0 - within : within;
}

std::array<double, 6> RegionalStress::at(double z) const {
    const double angle = azimuth * base::pi / 180.0, east = std::sin(angle), north = std::cos(angle);
    const double a = most.at(z), b = least.at(z);
    return {a * east * east + b * north * north,
            a * north * north + b * east * east,
            vertical.at(z),
            (a - b) * east * north,
            0.0,
            0.0};
}

void FaultEntry::blend_stress(double weight, double times, double z, std::array<double, 6>& now) const {
    if (!regional) {
        blend(now, stress, times, weight, add, z);
        return;
    }
    const auto said = regional->at(z);
    for (std::size_t i = 0; i < said.size(); ++i) blend(now[i], times * said[i], weight, add);
}

double FaultEntry::weight(const FaultSpot& spot) const {
    if (!tags.empty() && std::ranges::find(tags, spot.tag) == tags.end()) return 0.0;
    return weight(spot.place);
}

double FaultEntry::weight(const tetra::Point& place) const {
    const double share = where.weight(place);
    return random && share != 0.0 ? share * random->at(place) : share;
}

bool FaultEntry::nucleates() const {
    const auto said = [](const auto& value) { return value.has_value(); };
    return nucleation_strength || std::ranges::any_of(nucleation_stress, said) ||
           std::ranges::any_of(nucleation_traction, said);
}

bool FaultEntry::may_stress() const {
    return regional || grid ||
           std::ranges::any_of(stress, [](const auto& value) { return value.has_value(); });
}

std::array<double, 6> FaultOptions::stress_at(const tetra::Point& place, double mu) const {
    std::array<double, 6> stress{};
    for (const FaultEntry& entry : entries) {
        const double weight = entry.tags.empty() ? entry.weight(place) : 0.0;
        if (weight == 0.0) continue;
        const double times = entry.times(mu);
        entry.blend_stress(weight, times, place[2], stress);
        if (!entry.grid) continue;
        // Numbers of the law need not be there, nor be of use, where there is no fault.
        const auto values = entry.grid->at(place, FaultGrid::Column::stress);
        for (std::size_t c = 0; c < entry.grid->columns().size(); ++c) {
            const auto& [what, index] = entry.grid->columns()[c];
            if (what == FaultGrid::Column::stress) blend(stress[index], times * values[c], weight, entry.add);
        }
    }
    return stress;
}

FaultPoint FaultOptions::at(const FaultSpot& spot) const {
    const auto& [place, frame, mu, tag] = spot;
    const LawDescription& description = *find_law(law);
    FaultPoint point;
    const std::size_t parameters = description.at_places.size();
    for (std::size_t i = 0; i < parameters; ++i)
        point.parameter[i] =
            description.at_places[i].usual.value_or(std::numeric_limits<double>::quiet_NaN());
    point.thermal.fill(std::numeric_limits<double>::quiet_NaN());
    std::array<double, 6> stress{};
    std::array<double, 3> traction{};
    std::array<std::array<double, 6>, most_episodes> nucleation_stress{};
    std::array<std::array<double, 3>, most_episodes> nucleation_traction{};
    for (const FaultEntry& entry : entries) {
        const double weight = entry.weight(spot), z = place[2], times = entry.times(mu);
        if (weight == 0.0) continue;
        for (const auto& [which, value] : entry.parameter)
            blend(point.parameter[which], value.at(z), weight, entry.add);
        entry.blend_stress(weight, times, z, stress);
        blend(traction, entry.traction, times, weight, entry.add, z);
        blend(point.thermal, entry.thermal, 1.0, weight, entry.add, z);
        auto& episode = point.nucleation[entry.episode];
        if (entry.nucleation_strength)
            blend(episode.strength, entry.nucleation_strength->at(z), weight, entry.add);
        blend(nucleation_stress[entry.episode], entry.nucleation_stress, times, weight, entry.add, z);
        blend(nucleation_traction[entry.episode], entry.nucleation_traction, times, weight, entry.add, z);
        if (!entry.grid) continue;
        const auto values = entry.grid->at(place);
        for (std::size_t c = 0; c < entry.grid->columns().size(); ++c) {
            using What = FaultGrid::Column;
            const auto& [what, index] = entry.grid->columns()[c];
            blend(what == What::parameter           ? point.parameter[index]
                  : what == What::thermal           ? point.thermal[index]
                  : what == What::stress            ? stress[index]
                  : what == What::traction          ? traction[index]
                  : what == What::nucleation_stress ? nucleation_stress[entry.episode][index]
                                                    : nucleation_traction[entry.episode][index],
                  what == What::parameter || what == What::thermal ? values[c] : times * values[c], weight,
                  entry.add);
        }
    }
    const bool random =
        std::ranges::any_of(entries, [](const FaultEntry& entry) { return entry.random != nullptr; });
    const auto finish = [&](double& value, const LawParameter& of) {
        if (random) value = std::clamp(value, of.least, of.most);
        if (!std::isnan(value)) return;
        throw base::Refusal(
            fmt::format("{}: fault.set: {} is not given at {:.6g}, {:.6g}, {:.6g}: expected a [[fault.set]] "
                        "that gives it there",
                        stated_at, of.name, place[0], place[1], place[2]));
    };
    for (std::size_t i = 0; i < parameters; ++i) finish(point.parameter[i], description.at_places[i]);
    for (std::size_t i = 0; thermal && i < thermal_keys.size(); ++i)
        finish(point.thermal[i], thermal_keys[i]);
    // Where both diffuse alike the pressure is no difference of two that diffuse.
    if (thermal &&
        std::abs(point.thermal[hydraulic_diffusivity] - thermal->diffusivity) < 1e-3 * thermal->diffusivity)
        base::refuse(stated_at, "fault.set.hydraulic_diffusivity",
                     fmt::format("{:.6g} m2 s-1 at {:.6g}, {:.6g}, {:.6g}",
                                 point.thermal[hydraulic_diffusivity], place[0], place[1], place[2]),
                     fmt::format("another than diffusivity of [fault.thermal_pressurisation], {:.6g}, by a "
                                 "thousandth of it or more",
                                 thermal->diffusivity));
    point.traction = traction_of(stress, frame);
    for (int i = 0; i < 3; ++i) point.traction[i] += traction[i];
    for (std::size_t e = 0; e < episodes.size(); ++e) {
        auto& [added, strength, later] = point.nucleation[e];
        added = traction_of(nucleation_stress[e], frame);
        for (int i = 0; i < 3; ++i) added[i] += nucleation_traction[e][i];
        strength = std::clamp(strength, 0.0, 1.0);
        if (episodes[e].speed == 0.0) continue;
        const tetra::Point& from = episodes[e].from;
        later = std::hypot(place[0] - from[0], place[1] - from[1], place[2] - from[2]) / episodes[e].speed;
    }
    return point;
}

}  // namespace groundswell::quake
