#include "groundswell/sea/forcing/uniform_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/forcing/kind.hpp"

namespace groundswell::sea {

namespace {

class UniformLayer final : public ForcingLayer {
public:
    UniformLayer(const std::vector<double>& values, std::size_t cells) {
        layer_.count = static_cast<int>(values.size());
        for (std::size_t c = 0; c < values.size(); ++c) {
            values_[c].assign(cells, values[c]);
            layer_.components[c] = {{values_[c]}, {values_[c]}};
        }
    }
    const LinearLayer* linear(base::Instant) override { return &layer_; }

private:
    std::vector<double> values_[2];  // [component][cells]
    LinearLayer layer_;
};

}  // namespace

std::string UniformEntry::value() const {
    return values_.size() == 1 ? fmt::format("{}", values_[0])
                               : fmt::format("[{}]", fmt::join(values_, ", "));
}

std::unique_ptr<ForcingLayer> UniformEntry::make(const LayerPlace& place) const {
    const ForcingKind& kind = place.kind;
    double square = 0.0;
    for (const double value : values_) square += value * value;
    const std::string_view unit = kind.components.front().quantity.unit;
    base::require(
        std::sqrt(square) <= kind.largest, place.case_file, place.key, value(),
        fmt::format("{} in {}, not above {:g} {}", kind.is_vector ? "[eastward, northward]" : "one number",
                    unit, kind.largest, unit));
    return std::make_unique<UniformLayer>(values_, place.longitude.size());
}

}  // namespace groundswell::sea
