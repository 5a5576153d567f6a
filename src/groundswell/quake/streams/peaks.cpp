#include "groundswell/quake/streams/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

std::vector<std::string> all_peak_names() {
    std::vector<std::string> names;
    for (const auto& peak : peak_names) names.emplace_back(peak.name);
    return names;
}

std::size_t peak_index(const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(peak_names, name, &simulation::FieldNames::name) -
                                    peak_names.begin());
}

Peaks::Peaks(const SurfaceSection& section, std::size_t triangles)
    : interval_(section.peak_interval), file_(section.file) {
    for (const std::string& name : section.fields) {
        const std::size_t peak = peak_index(name);
        if (peak == peak_names.size()) continue;
        column_[peak] = kinds_.size();
        kinds_.push_back(peak);
        has_displacement_ = has_displacement_ || is_displacement(peak);
    }
    peaks_.resize(triangles * kinds_.size());
    if (has_displacement_) displacement_.resize(3 * triangles);
}

std::int64_t Peaks::next(double from) const {
    auto sample = std::max<std::int64_t>(0, static_cast<std::int64_t>(from / interval_.seconds()) - 1);
    while (time(sample) < from) ++sample;
    return sample;
}

bool Peaks::wants(double from, double to) const {
    return has_displacement_ || (!kinds_.empty() && time(next(from)) < to);
}

Peaks::Walk Peaks::enter(std::size_t triangle, const Glimpse& glimpse) const {
    return {triangle, glimpse, next(glimpse.from)};
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
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        const std::size_t motion = kinds_[k] % kinds_of_motion;
        double size = 0.0;
        if (is_vertical(kinds_[k])) {
            size = std::abs(component(motion, 2));
        } else {
            const double x = component(motion, 0), y = component(motion, 1);
            size = std::sqrt(x * x + y * y);
        }
        float& peak = peaks_[walk.triangle * kinds_.size() + k];
        peak = std::max(peak, static_cast<float>(size));
    }
}

void Peaks::add_to(simulation::State& state, int number, const SurfaceMesh& mesh) {
    if (kinds_.empty()) return;
    const std::string name = fmt::format("peaks_{}", number), triangles = name + "_triangle";
    const std::string kinds = name + "_kind", axis = name + "_axis";
    std::string about = fmt::format("{} every {}:", file_, base::format_duration(interval_));
    for (const std::size_t kind : kinds_) about += fmt::format(" {}", peak_names[kind].name);
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
    if (!has_displacement_) return;
    state.dimensions.push_back({axis, 3, "x, y and z"});
    state.add<double>(
        {name + "_displacement", {}, {triangles, axis}, {{"long_name", "displacement"}, {"units", "m"}}},
        mesh.rows(), displacement_.data(), 3);
}

}  // namespace groundswell::quake
