#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace groundswell::gridded {

/// A weight, or the end of 0…1 that it misses by rounding: a place on a point must not feel what is missing beside it.
double snapped(double weight);

/// The points of a grid along one axis: spacing free, in either direction. One without points is a single point that all
/// places lie at.
class Axis {
public:
    Axis() = default;
    /// Values that all increase or all decrease (out_of_order), at least two.
    explicit Axis(std::vector<double> values);

    /// The first value that does not go on as those before it, or is beyond ±`largest`; their number where there is none.
    static std::size_t out_of_order(std::span<const double> values, double largest);

    std::size_t size() const { return value_.size(); }
    double lowest() const { return value_.front(); }
    double highest() const { return value_.back(); }
    /// The value of a point, as the file counts.
    double operator[](std::size_t point) const { return value_[turned(point)]; }
    /// Whether each point lies within a tolerance of the other's.
    bool is_near(const Axis& other, double tolerance) const;

    /// The usual distance from a point to the next one, around there: the median of seven. At the last point that before it.
    double usual_spacing(std::size_t point) const;
    double usual_spacing_at_lowest() const { return usual_.front(); }
    double usual_spacing_at_highest() const { return usual_.back(); }
    /// The widest distance between two points that is no hole.
    double widest_spacing() const;
    /// Forgets the highest point, which the file has last.
    void drop_highest();

    /// The points on both sides of a place, as the file counts them, and the weight of the second, 0…1.
    struct Between {
        std::size_t point[2] = {0, 0};
        double weight = 0.0;
        double hole = 0.0;  ///< their distance where it is more than 2.5 times the usual one, else 0
        /// The same; for a place that misses a point by rounding alone both are that point.
        Between snapped() const;
    };
    /// The lower one is first. Places beyond an end lie on it.
    Between between(double place) const;

private:
    std::size_t turned(std::size_t i) const { return falls_ ? value_.size() - 1 - i : i; }
    double hole(std::size_t i) const;  // from value i to the next

    std::vector<double> value_;  // increasing
    std::vector<double> usual_;  // distance around there, from each value to the next
    bool falls_ = false;         // in the file
};

}  // namespace groundswell::gridded
