#include "groundswell/gridded/axis/axis.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::gridded {

namespace {

constexpr double hole_factor = 2.5;    // times the usual spacing
constexpr std::size_t neighbours = 3;  // spacings on either side that tell what is usual

// The median of each spacing and its neighbours, of two in the middle the smaller.
std::vector<double> usual_spacings(const std::vector<double>& axis) {
    std::vector<double> usual(axis.size() - 1);
    for (std::size_t i = 0; i < usual.size(); ++i) {
        std::vector<double> near;
        for (std::size_t j = i > neighbours ? i - neighbours : 0;
             j <= std::min(i + neighbours, usual.size() - 1); ++j)
            near.push_back(axis[j + 1] - axis[j]);
        const auto middle = near.begin() + static_cast<std::ptrdiff_t>((near.size() - 1) / 2);
        std::nth_element(near.begin(), middle, near.end());
        // Two do not tell which of them is usual.
        usual[i] = near.size() > 2 ? *middle : axis[i + 1] - axis[i];
    }
    return usual;
}

}  // namespace

double snapped(double weight) {
    return weight < 1e-9 ? 0.0 : weight > 1.0 - 1e-9 ? 1.0 : weight;
}

Axis::Between Axis::Between::snapped() const {
    const double nearest = gridded::snapped(weight);
    if (nearest == 0.0) return {{point[0], point[0]}};
    if (nearest == 1.0) return {{point[1], point[1]}};
    return *this;
}

Axis::Axis(std::vector<double> values) : value_(std::move(values)), falls_(value_[1] < value_[0]) {
    if (falls_) std::ranges::reverse(value_);
    usual_ = usual_spacings(value_);
}

std::size_t Axis::out_of_order(std::span<const double> values, double largest) {
    const bool falls = values.size() > 1 && values[1] < values[0];
    std::size_t i = 0;
    while (i < values.size() && std::abs(values[i]) <= largest &&
           (i == 0 || (falls ? values[i] < values[i - 1] : values[i] > values[i - 1])))
        ++i;
    return i;
}

bool Axis::is_near(const Axis& other, double tolerance) const {
    return falls_ == other.falls_ && std::ranges::equal(value_, other.value_, [&](double one, double two) {
               return std::abs(one - two) <= tolerance;
           });
}

double Axis::usual_spacing(std::size_t point) const {
    const std::size_t i = std::min(point, usual_.size() - 1);
    return usual_[falls_ ? usual_.size() - 1 - i : i];
}

double Axis::hole(std::size_t i) const {
    const double spacing = value_[i + 1] - value_[i];
    return spacing > hole_factor * usual_[i] ? spacing : 0.0;
}

double Axis::widest_spacing() const {
    double widest = 0.0;
    for (std::size_t i = 0; i + 1 < value_.size(); ++i)
        if (hole(i) == 0.0) widest = std::max(widest, value_[i + 1] - value_[i]);
    return widest;
}

void Axis::drop_highest() {
    value_.pop_back();
    usual_.pop_back();
}

Axis::Between Axis::between(double place) const {
    if (value_.empty()) return {};
    const double inside = std::clamp(place, lowest(), highest());
    const auto above = std::upper_bound(value_.begin() + 1, value_.end() - 1, inside);
    const auto high = static_cast<std::size_t>(above - value_.begin()), low = high - 1;
    return {{turned(low), turned(high)}, (inside - value_[low]) / (value_[high] - value_[low]), hole(low)};
}

}  // namespace groundswell::gridded
