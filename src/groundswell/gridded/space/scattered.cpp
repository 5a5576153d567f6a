#include "groundswell/gridded/space/scattered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/units.hpp"

namespace groundswell::gridded {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20U;  // points that are read at once
constexpr double rounding = 1e-9;                     // of the largest coordinate
constexpr double margin = 0.01;                       // of the region's extent
constexpr double cell = 8.0;                          // tolerances
constexpr std::array axes{"x", "y", "z"};

}  // namespace

bool Scattered::is_along_points(const netcdf::Reader& file, const netcdf::Reader::Variable& variable) {
    if (variable.dimensions.size() != 1 || file.find(variable.dimensions[0].name) != nullptr) return false;
    return std::ranges::all_of(axes, [&](const char* axis) {
        const auto* coordinate = file.find(axis);
        return coordinate != nullptr && coordinate->dimensions.size() == 1 &&
               coordinate->dimensions[0].name == variable.dimensions[0].name;
    });
}

Scattered::Scattered(const netcdf::Reader& file, const netcdf::Reader::Variable& along,
                     const Region& region) {
    std::array<double, 3> unit{};
    for (int j = 0; j < 3; ++j) unit[j] = unit_of(file, *file.find(axes[j]), lengths);
    if (region.empty()) return;
    const std::size_t count = along.dimensions[0].length;
    std::array<std::vector<double>, 3> read;
    double largest = 0.0;
    for (std::size_t begin = 0; begin < count; begin += piece) {
        const std::size_t many = std::min(piece, count - begin);
        for (int j = 0; j < 3; ++j) {
            read[j].resize(many);
            file.read(*file.find(axes[j]), {begin}, {many}, read[j].data());
        }
        for (std::size_t i = 0; i < many; ++i) {
            Place place{};
            bool inside = true;
            for (int j = 0; j < 3; ++j) {
                place[j] = unit[j] * read[j][i];
                const double around = margin * (region.highest[j] - region.lowest[j]);
                inside =
                    inside && place[j] >= region.lowest[j] - around && place[j] <= region.highest[j] + around;
                largest = std::max(largest, std::abs(place[j]));
            }
            if (!inside) continue;
            rows_.push_back(begin + i);
            place_.push_back(place);
        }
    }
    tolerance_ = rounding * largest;
    for (std::size_t i = 0; i < place_.size(); ++i) found_.emplace(cell_of(place_[i]), i);
}

Scattered::Cell Scattered::cell_of(const Place& place) const {
    Cell at{};
    for (int j = 0; j < 3; ++j)
        at[j] = static_cast<std::int64_t>(std::floor(place[j] / std::max(cell * tolerance_, 1e-30)));
    return at;
}

std::size_t Scattered::at(const Place& place, const std::string& path) const {
    std::optional<std::size_t> best;
    Cell low = cell_of({place[0] - tolerance_, place[1] - tolerance_, place[2] - tolerance_});
    const Cell high = cell_of({place[0] + tolerance_, place[1] + tolerance_, place[2] + tolerance_});
    for (Cell c = low; c[0] <= high[0]; ++c[0]) {
        for (c[1] = low[1]; c[1] <= high[1]; ++c[1]) {
            for (c[2] = low[2]; c[2] <= high[2]; ++c[2]) {
                const auto [first, last] = found_.equal_range(c);
                for (auto one = first; one != last; ++one) {
                    const Place& there = place_[one->second];
                    bool same = true;
                    for (int j = 0; j < 3; ++j) same = same && std::abs(there[j] - place[j]) <= tolerance_;
                    if (same && (!best || one->second < *best)) best = one->second;
                }
            }
        }
    }
    if (!best)
        base::refuse(
            path, "x, y, z", fmt::format("no point at {}", show(place)),
            "a point wherever a value is asked for; such a file holds for one mesh, one order and one "
            "choice of points");
    return *best;
}

}  // namespace groundswell::gridded
