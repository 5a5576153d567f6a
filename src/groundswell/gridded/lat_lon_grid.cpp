#include "groundswell/gridded/lat_lon_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::gridded {

namespace {

constexpr double axis_tolerance = 1e-4;  // degrees: axes are often stored as float

// x brought into [origin, origin + 360).
double wrapped(double x, double origin) {
    const double turns = std::floor((x - origin) / 360.0);
    const double result = x - 360.0 * turns;
    return result >= origin + 360.0 ? origin : result;
}

// A point on a grid line must not feel a missing value beyond it through rounding.
double snapped(double weight) {
    return weight < 1e-9 ? 0.0 : weight > 1.0 - 1e-9 ? 1.0 : weight;
}

}  // namespace

LatLonGrid::LatLonGrid(std::string_view where, std::vector<double> longitude, std::vector<double> latitude)
    : longitude_(std::move(longitude)), latitude_(std::move(latitude)) {
    base::require(longitude_.size() >= 2, where, "longitude", fmt::format("{} values", longitude_.size()),
                  "at least two");
    base::require(latitude_.size() >= 2, where, "latitude", fmt::format("{} values", latitude_.size()),
                  "at least two");
    double offset = 0.0;
    for (std::size_t i = 1; i < longitude_.size(); ++i) {
        if (longitude_[i] + offset < longitude_[i - 1] && offset == 0.0) offset = 360.0;
        longitude_[i] += offset;
        base::require(longitude_[i] > longitude_[i - 1], where, fmt::format("longitude[{}]", i),
                      fmt::format("{}", longitude_[i] - offset), "degrees that increase eastward");
    }
    const double span = longitude_.back() - longitude_.front();
    base::require(std::abs(longitude_.front()) <= 720.0 && span <= 360.0 + axis_tolerance, where, "longitude",
                  fmt::format("{}…{}", longitude_.front(), longitude_.back()),
                  "degrees, once around at most");
    if (span >= 360.0 - axis_tolerance) {
        longitude_.pop_back();
        periodic_ = true;
    } else {
        double widest = 0.0;
        for (std::size_t i = 1; i < longitude_.size(); ++i)
            widest = std::max(widest, longitude_[i] - longitude_[i - 1]);
        periodic_ = 360.0 - span <= 1.5 * widest;
    }
    southward_ = latitude_[1] < latitude_[0];
    for (std::size_t i = 0; i < latitude_.size(); ++i) {
        const bool on_earth = std::abs(latitude_[i]) <= 90.0 + axis_tolerance;
        const bool ordered =
            i == 0 || (southward_ ? latitude_[i] < latitude_[i - 1] : latitude_[i] > latitude_[i - 1]);
        base::require(on_earth && ordered, where, fmt::format("latitude[{}]", i),
                      fmt::format("{}", latitude_[i]), "degrees within -90…90, all rising or all falling");
    }
}

bool LatLonGrid::locate(double longitude, double latitude, Box& box) const {
    const std::size_t n = longitude_.size();
    const double first = longitude_.front(), last = longitude_.back();
    if (periodic_) {
        const double x = wrapped(longitude / base::degree, first);
        const auto after = std::upper_bound(longitude_.begin(), longitude_.end(), x);
        const auto column = static_cast<std::size_t>(after - longitude_.begin()) - 1;
        const double next = column + 1 < n ? longitude_[column + 1] : first + 360.0;
        box.column[0] = static_cast<std::int32_t>(column);
        box.column[1] = static_cast<std::int32_t>((column + 1) % n);
        box.column_weight = (x - longitude_[column]) / (next - longitude_[column]);
    } else {
        const double west = first - 0.5 * (longitude_[1] - first);
        const double east = last + 0.5 * (last - longitude_[n - 2]);
        double x = wrapped(longitude / base::degree, west);
        if (x > east) return false;
        x = std::clamp(x, first, last);
        const auto after = std::upper_bound(longitude_.begin() + 1, longitude_.end() - 1, x);
        const auto column = static_cast<std::size_t>(after - longitude_.begin()) - 1;
        box.column[0] = static_cast<std::int32_t>(column);
        box.column[1] = box.column[0] + 1;
        box.column_weight = (x - longitude_[column]) / (longitude_[column + 1] - longitude_[column]);
    }

    // Rows counted northward from the southern end.
    const std::size_t m = latitude_.size();
    const auto file_row = [&](std::size_t row) { return southward_ ? m - 1 - row : row; };
    const auto at = [&](std::size_t row) { return latitude_[file_row(row)]; };
    const double south_spacing = at(1) - at(0), north_spacing = at(m - 1) - at(m - 2);
    double south = at(0) - 0.5 * south_spacing, north = at(m - 1) + 0.5 * north_spacing;
    if (periodic_ && at(0) - south_spacing <= -90.0 + axis_tolerance) south = -91.0;
    if (periodic_ && at(m - 1) + north_spacing >= 90.0 - axis_tolerance) north = 91.0;
    double y = latitude / base::degree;
    if (!(y >= south && y <= north)) return false;
    y = std::clamp(y, at(0), at(m - 1));
    std::size_t low = 0, high = m - 1;  // at(low) ≤ y ≤ at(high)
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (at(middle) <= y ? low : high) = middle;
    }
    box.row[0] = static_cast<std::int32_t>(file_row(low));
    box.row[1] = static_cast<std::int32_t>(file_row(high));
    box.row_weight = (y - at(low)) / (at(high) - at(low));
    return true;
}

std::string LatLonGrid::describe() const {
    const auto [south, north] = std::minmax(latitude_.front(), latitude_.back());
    if (periodic_) return fmt::format("all longitudes, {:.2f}…{:.2f}°N", south, north);
    return fmt::format("{:.2f}…{:.2f}°E, {:.2f}…{:.2f}°N", longitude_.front(), longitude_.back(), south,
                       north);
}

bool LatLonGrid::operator==(const LatLonGrid& other) const {
    const auto near = [](double a, double b) { return std::abs(a - b) <= axis_tolerance; };
    return periodic_ == other.periodic_ &&
           std::equal(longitude_.begin(), longitude_.end(), other.longitude_.begin(), other.longitude_.end(),
                      near) &&
           std::equal(latitude_.begin(), latitude_.end(), other.latitude_.begin(), other.latitude_.end(),
                      near);
}

GridBox columns_around(const LatLonGrid& grid, std::span<const char> used) {
    GridBox box;
    // The window begins after the longest run of columns that nobody needs, counted around the Earth; where
    // the grid ends, so does the run.
    const std::size_t n = grid.columns();
    const auto first_used = static_cast<std::size_t>(std::find(used.begin(), used.end(), 1) - used.begin());
    std::size_t last_used = n - 1;
    while (used[last_used] == 0) --last_used;
    std::size_t longest = first_used + n - 1 - last_used;  // the run across the ends
    box.first_column = first_used;
    if (grid.around_the_earth()) {
        std::size_t run = 0;
        for (std::size_t c = first_used; c <= last_used; ++c) {
            if (used[c] != 0) {
                if (run > longest) {
                    longest = run;
                    box.first_column = c;
                }
                run = 0;
            } else {
                ++run;
            }
        }
    }
    box.columns = n - longest;
    return box;
}

GridWindow::GridWindow(const LatLonGrid& grid, std::span<const double> longitude,
                       std::span<const double> latitude) {
    if (longitude.empty()) return;
    std::vector<LatLonGrid::Box> boxes(longitude.size());
    std::vector<char> used(grid.columns(), 0);
    std::int32_t lowest = static_cast<std::int32_t>(grid.rows()), highest = -1;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        GS_ASSERT(grid.locate(longitude[i], latitude[i], boxes[i]));
        for (int corner = 0; corner < 2; ++corner) {
            used[boxes[i].column[corner]] = 1;
            lowest = std::min(lowest, boxes[i].row[corner]);
            highest = std::max(highest, boxes[i].row[corner]);
        }
    }
    box_ = columns_around(grid, used);
    box_.first_row = static_cast<std::size_t>(lowest);
    box_.rows = static_cast<std::size_t>(highest - lowest + 1);

    const std::size_t n = grid.columns();
    stencils_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        Stencil& stencil = stencils_[i];
        for (int corner = 0; corner < 4; ++corner) {
            const auto row = static_cast<std::size_t>(boxes[i].row[corner / 2]) - box_.first_row;
            const auto column =
                (static_cast<std::size_t>(boxes[i].column[corner % 2]) + n - box_.first_column) % n;
            stencil.corner[corner] = static_cast<std::int32_t>(row * box_.columns + column);
        }
        stencil.column_weight = snapped(boxes[i].column_weight);
        stencil.row_weight = snapped(boxes[i].row_weight);
    }
}

}  // namespace groundswell::gridded
