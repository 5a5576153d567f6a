#include "groundswell/sea/boundary/stations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace groundswell::sea {

namespace {

using voronoi::Vector3;

constexpr std::size_t most_near = 10;
constexpr double same_place = 1e-5;  // rad: 60 m

/// A station seen from the place, in the plane that touches the sphere there.
struct Near {
    std::size_t station;
    double x, y, distance;
};

double cross(const Near& a, const Near& b) {
    return a.x * b.y - a.y * b.x;
}

// The nearest ones, in order, without those that lie where a nearer one does.
std::vector<Near> nearest_of(std::span<const Vector3> stations, double lon, double lat) {
    const Vector3 point = voronoi::point_at(lon, lat), east = voronoi::east_at(lon),
                  north = voronoi::north_at(lon, lat);
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (std::size_t s = 0; s < stations.size(); ++s)
        by_distance.emplace_back(voronoi::norm(stations[s] - point), s);
    const std::size_t looked_at = std::min(stations.size(), 4 * most_near);
    std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(looked_at),
                      by_distance.end());
    std::vector<Near> near;
    for (std::size_t i = 0; i < looked_at && near.size() < most_near; ++i) {
        const auto [distance, s] = by_distance[i];
        const bool known = std::ranges::any_of(near, [&, s = s](const Near& one) {
            return voronoi::norm(stations[one.station] - stations[s]) < same_place;
        });
        if (known) continue;
        near.push_back({s, voronoi::dot(stations[s], east), voronoi::dot(stations[s], north), distance});
    }
    return near;
}

std::optional<std::vector<Weighed>> in_triangle(const Near& a, const Near& b, const Near& c) {
    const double of_a = cross(b, c), of_b = cross(c, a), of_c = cross(a, b), area = of_a + of_b + of_c;
    const double size = std::max({a.distance, b.distance, c.distance});
    constexpr double rounding = 1e-9, flat = 1e-2;
    if (std::abs(area) < flat * size * size) return {};
    std::vector<Weighed> weighed{
        {a.station, of_a / area}, {b.station, of_b / area}, {c.station, of_c / area}};
    for (const Weighed& one : weighed)
        if (one.weight < -rounding) return {};
    for (Weighed& one : weighed) one.weight = std::max(0.0, one.weight);
    return weighed;
}

// Solves matrix · x = (1, 0, …) for a symmetric positive definite matrix; false where it is none.
template <std::size_t size>
bool solve_for_first(std::array<std::array<double, size>, size> matrix, std::array<double, size>& x) {
    x = {1.0};
    for (std::size_t i = 0; i < size; ++i) {
        if (!(matrix[i][i] > 1e-6)) return false;
        for (std::size_t row = i + 1; row < size; ++row) {
            const double factor = matrix[row][i] / matrix[i][i];
            for (std::size_t column = i; column < size; ++column)
                matrix[row][column] -= factor * matrix[i][column];
            x[row] -= factor * x[i];
        }
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t column = i + 1; column < size; ++column) x[i] -= matrix[i][column] * x[column];
        x[i] /= matrix[i][i];
    }
    return true;
}

// Values at the place of the quadratics that fit those of the stations by least squares, each station with a share that falls with
// its distance; nothing where stations do not settle one, or what is off by ±1 at each would be off by more than `most` there.
std::optional<std::vector<Weighed>> by_quadratic(const std::vector<Near>& near) {
    constexpr double most = 2.0, flattening = 0.3;
    constexpr std::size_t terms = 6;
    if (near.size() < most_near) return {};
    const double scale = near[terms - 1].distance;
    const auto terms_of = [&](const Near& one) {
        const double x = one.x / scale, y = one.y / scale;
        return std::array<double, terms>{1.0, x, y, x * x, x * y, y * y};
    };
    const auto share_of = [&](const Near& one) {
        return std::pow(flattening + std::pow(one.distance / scale, 2), -2);
    };
    std::array<std::array<double, terms>, terms> matrix{};
    for (const Near& one : near) {
        const std::array<double, terms> values = terms_of(one);
        for (std::size_t i = 0; i < terms; ++i)
            for (std::size_t j = 0; j < terms; ++j) matrix[i][j] += share_of(one) * values[i] * values[j];
    }
    std::array<double, terms> solution;
    if (!solve_for_first(matrix, solution)) return {};
    std::vector<Weighed> weighed;
    double size = 0.0;
    for (const Near& one : near) {
        const std::array<double, terms> values = terms_of(one);
        double weight = 0.0;
        for (std::size_t i = 0; i < terms; ++i) weight += values[i] * solution[i];
        weighed.push_back({one.station, weight * share_of(one)});
        size += std::abs(weighed.back().weight);
    }
    if (size > most) return {};
    return weighed;
}

}  // namespace

std::vector<Weighed> weigh_stations(std::span<const Vector3> stations, double lon, double lat) {
    const std::vector<Near> near = nearest_of(stations, lon, lat);
    if (near.size() < 2 || near[0].distance < same_place) return {{near[0].station, 1.0}};
    std::optional<std::vector<Weighed>> best;
    double smallest = 0.0;
    for (std::size_t i = 0; i < near.size(); ++i)
        for (std::size_t j = i + 1; j < near.size(); ++j)
            for (std::size_t k = j + 1; k < near.size(); ++k) {
                const double size = near[i].distance + near[j].distance + near[k].distance;
                if (best && size >= smallest) continue;
                const auto found = in_triangle(near[i], near[j], near[k]);
                if (!found) continue;
                best = found;
                smallest = size;
            }
    if (best) {
        if (const auto smooth = by_quadratic(near)) return *smooth;
        // The nearest one of all first, if with no weight.
        if (best->front().station != near[0].station) best->insert(best->begin(), {near[0].station, 0.0});
        return *best;
    }
    const double x = near[1].x - near[0].x, y = near[1].y - near[0].y;
    const double part = std::clamp(-(near[0].x * x + near[0].y * y) / (x * x + y * y), 0.0, 1.0);
    return {{near[0].station, 1.0 - part}, {near[1].station, part}};
}

}  // namespace groundswell::sea
