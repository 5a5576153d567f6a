#include "groundswell/quake/streams/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "groundswell/quake/fields.hpp"

namespace groundswell::quake {

namespace {

constexpr std::size_t kinds_of_motion =
    3;  // velocity, acceleration, displacement, in the order of peak_names

bool is_vertical(std::size_t peak) {
    return peak >= kinds_of_motion;
}

bool is_displacement(std::size_t peak) {
    return peak % kinds_of_motion == 2;
}

}  // namespace

Oscillator::Oscillator(double period, double damping, double interval) {
    const double omega = 2.0 * std::numbers::pi / period;
    const double root = std::sqrt(1.0 - damping * damping);
    const double decay = std::exp(-damping * omega * interval);
    const double cosine = decay * std::cos(root * omega * interval);
    const double sine = decay * std::sin(root * omega * interval) / root;
    square_ = omega * omega;
    push_ = 1.0 / (square_ * interval);
    pp_ = cosine + damping * sine;
    pr_ = sine / omega;
    rp_ = -omega * sine;
    rr_ = cosine - damping * sine;
}

std::vector<std::string> all_peak_names() {
    std::vector<std::string> names;
    for (const auto& peak : peak_names) names.emplace_back(peak.name);
    return names;
}

Peaks::Peaks(const SurfaceSection& section, std::size_t triangles)
    : interval_(section.peak_interval),
      file_(section.file),
      damping_(section.damping),
      responses_(section.responses) {
    for (const std::string& name : section.fields) {
        const auto found = std::ranges::find(peak_names, name, &simulation::FieldNames::name);
        if (found == peak_names.end()) continue;
        kinds_.push_back(name);
        motions_.push_back(static_cast<std::size_t>(found - peak_names.begin()));
        has_displacement_ = has_displacement_ || is_displacement(motions_.back());
    }
    for (const Response& response : responses_) {
        kinds_.push_back(response.name);
        oscillators_.emplace_back(response.period, damping_, interval_.seconds());
    }
    peaks_.resize(triangles * kinds_.size());
    if (has_displacement_) displacement_.resize(3 * triangles);
    if (!responses_.empty()) driven_.resize(triangles * driven_values());
}

std::optional<std::size_t> Peaks::column(const std::string& field) const {
    const auto found = std::ranges::find(kinds_, field);
    if (found == kinds_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - kinds_.begin());
}

output::Variable Peaks::variable(std::size_t column, std::vector<std::string> dimensions) const {
    const std::string when =
        fmt::format("time: maximum (interval: {} s comment: since the start)", interval_.seconds());
    std::string what;
    const auto names = [&]() -> simulation::FieldNames {
        if (column < motions_.size()) return peak_names[motions_[column]];
        const Response& response = responses_[column - motions_.size()];
        what = fmt::format(
            "largest pseudo-acceleration since the start of an oscillator of {:g} s with {:g} % of critical "
            "damping, of the horizontal vector (RotD100)",
            response.period, 100.0 * damping_);
        return {response.name, "", what, "m s-2"};
    };
    auto variable = simulation::field_variable(names(), std::move(dimensions));
    std::ranges::find(variable.attributes, "cell_methods", &output::Attribute::name)->value = when;
    return variable;
}

std::int64_t Peaks::next(double from) const {
    auto sample = std::max<std::int64_t>(0, static_cast<std::int64_t>(from / interval_.seconds()) - 1);
    while (time(sample) < from) ++sample;
    return sample;
}

void Peaks::go_to(Walk& walk, double until) {
    for (; time(walk.sample) <= until && time(walk.sample) < walk.glimpse.to; ++walk.sample)
        take(walk, time(walk.sample) - walk.glimpse.from);
}

void Peaks::leave(Walk& walk) {
    go_to(walk, walk.glimpse.to);
    if (!has_displacement_) return;
    for (int axis = 0; axis < 3; ++axis)
        displacement_[3 * walk.triangle + axis] +=
            walk.glimpse.integral(first_velocity + axis, walk.glimpse.to - walk.glimpse.from);
}

void Peaks::take(const Walk& walk, double seconds) {
    const auto component = [&](std::size_t motion, int axis) {
        const int quantity = first_velocity + axis;
        if (motion == 0) return walk.glimpse.value(quantity, seconds);
        if (motion == 1) return walk.glimpse.rate(quantity, seconds);
        return displacement_[3 * walk.triangle + axis] + walk.glimpse.integral(quantity, seconds);
    };
    for (std::size_t k = 0; k < motions_.size(); ++k) {
        const std::size_t motion = motions_[k] % kinds_of_motion;
        if (is_vertical(motions_[k])) {
            keep_largest(walk.triangle, k, std::abs(component(motion, 2)));
        } else {
            const double x = component(motion, 0), y = component(motion, 1);
            keep_largest(walk.triangle, k, std::sqrt(x * x + y * y));
        }
    }
    if (!oscillators_.empty()) swing(walk, seconds);
}

void Peaks::swing(const Walk& walk, double seconds) {
    double* const velocity = driven_.data() + walk.triangle * driven_values();
    const std::array<double, 2> now{walk.glimpse.value(first_velocity, seconds),
                                    walk.glimpse.value(first_velocity + 1, seconds)};
    // At the start nothing has happened yet, however fast the ground already moves.
    if (walk.sample == 0) std::ranges::copy(now, velocity);
    for (std::size_t o = 0; o < oscillators_.size(); ++o) {
        double* const position = velocity + 2 + 4 * o;
        double square = 0.0;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const auto after =
                oscillators_[o].after({position[axis], position[2 + axis]}, now[axis] - velocity[axis]);
            position[axis] = after.position;
            position[2 + axis] = after.rate;
            square += after.position * after.position;
        }
        keep_largest(walk.triangle, motions_.size() + o,
                     oscillators_[o].pseudo_acceleration(std::sqrt(square)));
    }
    std::ranges::copy(now, velocity);
}

void Peaks::keep_largest(std::size_t triangle, std::size_t column, double size) {
    float& peak = peaks_[triangle * kinds_.size() + column];
    peak = std::max(peak, static_cast<float>(size));
}

void Peaks::add_to(simulation::State& state, int number, const SurfaceMesh& mesh) {
    if (kinds_.empty()) return;
    const std::string name = fmt::format("peaks_{}", number), triangles = name + "_triangle";
    const std::string kinds = name + "_kind", axis = name + "_axis";
    std::string about = fmt::format("{} every {}:", file_, base::format_duration(interval_));
    for (const std::string& kind : kinds_) about += " " + kind;
    if (!responses_.empty()) about += fmt::format(", damping {:g}", damping_);
    const auto count = static_cast<std::int64_t>(kinds_.size());
    state.dimensions.push_back(
        {triangles, mesh.rows().rows(), fmt::format("{} triangles in {}", mesh.rows().rows(), file_)});
    state.dimensions.push_back({kinds, count, fmt::format("{} peaks in {}", count, file_)});
    state.marks.push_back({output::Attribute(name + "_of", about), about});
    state.add<float>({name,
                      {},
                      {triangles, kinds},
                      {{"long_name", "largest motions of the surface so far, in the units of " + file_}}},
                     mesh.rows(), peaks_.data(), count);
    if (!responses_.empty()) add_oscillators_to(state, name, mesh);
    if (!has_displacement_) return;
    state.dimensions.push_back({axis, 3, "x, y and z"});
    state.add<double>(
        {name + "_displacement", {}, {triangles, axis}, {{"long_name", "displacement"}, {"units", "m"}}},
        mesh.rows(), displacement_.data(), 3);
}

void Peaks::add_oscillators_to(simulation::State& state, const std::string& name, const SurfaceMesh& mesh) {
    const auto count = static_cast<std::int64_t>(driven_values());
    const std::string values = name + "_driven";
    state.dimensions.push_back(
        {values, count, fmt::format("{} oscillators in {}", oscillators_.size(), file_)});
    state.add<double>(
        {name + "_oscillators",
         {},
         {name + "_triangle", values},
         {{"long_name", "velocity of the ground, then position and rate of each oscillator, along x and y"}}},
        mesh.rows(), driven_.data(), count);
}

}  // namespace groundswell::quake
