#include "groundswell/sea/forcing/uniform_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/forcing/kind.hpp"

namespace groundswell::sea {

namespace {

class UniformLayer final : public ForcingLayer {
public:
    explicit UniformLayer(std::vector<double> values) : values_(std::move(values)) {}
    void apply(base::Instant, ForcingValues values) override {
        for (std::size_t c = 0; c < values_.size(); ++c) std::ranges::fill(values[c], values_[c]);
    }

private:
    std::vector<double> values_;
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
    return std::make_unique<UniformLayer>(values_);
}

}  // namespace groundswell::sea
