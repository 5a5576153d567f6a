#pragma once

#include <utility>
#include <vector>

#include "groundswell/sea/forcing/entry.hpp"

namespace groundswell::sea {

/// The same everywhere and always.
class UniformEntry final : public ForcingEntry {
public:
    /// [component] in the kind's unit.
    explicit UniformEntry(std::vector<double> values, bool add = false)
        : values_(std::move(values)), add_(add) {}

    std::string_view key() const override { return "uniform"; }
    std::string value() const override;
    Blend blend() const override { return add_ ? Blend::add : Blend::none; }
    /// Refuses what is larger than the kind can be.
    std::unique_ptr<ForcingLayer> make(const LayerPlace& place) const override;

private:
    std::vector<double> values_;
    bool add_;
};

/// Reads an entry with the key `uniform`.
std::shared_ptr<const ForcingEntry> read_uniform_entry(const simulation::Section& section,
                                                       const ForcingKind& kind);

}  // namespace groundswell::sea
