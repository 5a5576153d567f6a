#include "groundswell/sea/forcing/shape_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::sea {

namespace {

using voronoi::Vector3;

class ShapeLayer final : public ForcingLayer {
public:
    ShapeLayer(const ShapeOptions& options, const LayerPlace& place) : options_(options) {
        const Vector3 centre = voronoi::point_at(options.longitude, options.latitude);
        const Vector3 east = voronoi::east_at(options.longitude),
                      north = voronoi::north_at(options.longitude, options.latitude);
        const Vector3 right = std::cos(options.along) * east - std::sin(options.along) * north;
        none_.resize(place.longitude.size());
        layer_.count = static_cast<int>(place.kind.components.size());
        for (std::size_t c = 0; c < layer_.components.size(); ++c) {
            steady_[c].resize(place.longitude.size());
            layer_.components[c] = {{none_, 0}, {steady_[c], 1}, 1.0};
        }
        const bool two = options.amplitude.size() > 1;
        for (std::size_t i = 0; i < place.longitude.size(); ++i) {
            const double longitude = place.longitude[i], latitude = place.latitude[i];
            const Vector3 at = voronoi::point_at(longitude, latitude);
            if (options.profile == ShapeOptions::Profile::ring) {
                const double distance = base::earth_radius * voronoi::arc(centre, at) / options.width;
                const double speed =
                    options.amplitude[0] * distance * std::exp(0.5 * (1.0 - distance * distance));
                const Vector3 around = voronoi::cross(centre, at);
                const double length = voronoi::norm(around);
                steady_[0][i] =
                    length > 0.0 ? speed * voronoi::dot(around, voronoi::east_at(longitude)) / length : 0.0;
                steady_[1][i] =
                    length > 0.0
                        ? speed * voronoi::dot(around, voronoi::north_at(longitude, latitude)) / length
                        : 0.0;
                continue;
            }
            const double g =
                profile(base::earth_radius * std::asin(std::clamp(voronoi::dot(right, at), -1.0, 1.0)));
            steady_[0][i] = options.amplitude[0] * g;
            if (two) steady_[1][i] = options.amplitude[1] * g;
        }
    }

    const LinearLayer* linear(base::Instant time) override {
        if (options_.period > 0.0)
            for (gridded::LinearInTime& component : layer_.components)
                component.weight =
                    std::cos(base::two_pi * std::fmod(time.seconds_since(options_.high), options_.period) /
                             options_.period);
        return &layer_;
    }

private:
    double profile(double s) const {
        const double x = options_.width > 0.0 ? s / options_.width : 0.0;
        switch (options_.profile) {
            case ShapeOptions::Profile::jet:
                return std::exp(-0.5 * x * x);
            case ShapeOptions::Profile::step:
                return 0.5 * (1.0 + std::tanh(x));
            case ShapeOptions::Profile::ramp:
                return std::clamp(0.5 * (1.0 + x), 0.0, 1.0);
            default:
                return 1.0;
        }
    }

    ShapeOptions options_;
    std::vector<double> none_;       // [cells]
    std::vector<double> steady_[2];  // [component][cells]
    LinearLayer layer_;              // between these
};

}  // namespace

std::unique_ptr<ForcingLayer> ShapeEntry::make(const LayerPlace& place) const {
    double square = 0.0;
    for (const double value : options_.amplitude) square += value * value;
    base::require(std::sqrt(square) <= place.kind.largest, place.case_file,
                  fmt::format("{}.amplitude", place.key), fmt::format("{:g}", std::sqrt(square)),
                  fmt::format("at most {:g} {}", place.kind.largest, place.kind.unit));
    return std::make_unique<ShapeLayer>(options_, place);
}

}  // namespace groundswell::sea
