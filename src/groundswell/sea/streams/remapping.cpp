#include "groundswell/sea/streams/remapping.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"

namespace groundswell::sea {

BoxMean::BoxMean(const std::vector<std::string>& fields) : fields_(fields.size()) {
    for (const std::string& name : fields) reads_.push_back(&find_field(name));
    height_ = place_of("hs");
    if (std::ranges::any_of(fields,
                            [](const std::string& name) { return name == "dir" || name == "spread"; })) {
        direction_ = place_of("dir");
        spread_ = place_of("spread");
    }
}

std::size_t BoxMean::place_of(std::string_view name) {
    const auto found = std::ranges::find(reads_, name, &Field::name);
    if (found != reads_.end()) return static_cast<std::size_t>(found - reads_.begin());
    reads_.push_back(&find_field(name));
    return reads_.size() - 1;
}

BoxMean::Kind BoxMean::kind_of(const Field& field) {
    if (field.is_bearing()) return Kind::bearing;
    if (field.name == "spread") return Kind::spread;
    if (field.name.starts_with("hs") || field.name == "hmax") return Kind::height;
    if (field.name == "tm01") return Kind::inverse;
    if (field.name == "tm02") return Kind::inverse_square;
    return field.unit == "s" ? Kind::period : Kind::plain;
}

std::string BoxMean::method(const Field& field) {
    return kind_of(field) == Kind::height ? "area: root_mean_square where sea" : "area: mean where sea";
}

float BoxMean::operator()(std::size_t number, std::span<const Part> parts) const {
    const Kind kind = kind_of(*reads_[number]);
    const bool with_spread = kind == Kind::spread || reads_[number]->name == "dir";
    double weight = 0.0, sum = 0.0, east = 0.0, north = 0.0;
    for (const Part& part : parts) {
        const float value = part.values[number];
        if (value == fill_value) continue;
        const auto v = static_cast<double>(value), height = static_cast<double>(part.values[height_]);
        const bool plain = kind == Kind::plain || kind == Kind::height;
        const double a = plain ? part.area : part.area * height * height;
        weight += a;
        if (kind == Kind::bearing || kind == Kind::spread) {
            const double spread =
                with_spread ? static_cast<double>(part.values[spread_]) * base::degree : 0.0;
            const double bearing =
                (with_spread ? static_cast<double>(part.values[direction_]) : v) * base::degree;
            east += a * (1.0 - 0.5 * spread * spread) * std::sin(bearing);
            north += a * (1.0 - 0.5 * spread * spread) * std::cos(bearing);
        } else {
            sum += a * (kind == Kind::height           ? v * v
                        : kind == Kind::inverse        ? 1.0 / v
                        : kind == Kind::inverse_square ? 1.0 / (v * v)
                                                       : v);
        }
    }
    if (!(weight > 0.0)) return fill_value;
    const double length = std::hypot(east, north);
    switch (kind) {
        case Kind::height:
            return static_cast<float>(std::sqrt(sum / weight));
        case Kind::inverse:
            return static_cast<float>(weight / sum);
        case Kind::inverse_square:
            return static_cast<float>(std::sqrt(weight / sum));
        case Kind::spread:
            return static_cast<float>(std::sqrt(2.0 * std::max(1.0 - length / weight, 0.0)) / base::degree);
        case Kind::bearing:
            return length > 0.0 ? static_cast<float>(bearing_from(std::atan2(-north, -east))) : fill_value;
        case Kind::period:
        case Kind::plain:
            break;
    }
    return static_cast<float>(sum / weight);
}

}  // namespace groundswell::sea
