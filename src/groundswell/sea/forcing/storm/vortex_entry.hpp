#pragma once

#include <string>
#include <utility>
#include <vector>

#include "groundswell/sea/forcing/entry.hpp"
#include "groundswell/sea/forcing/storm/options.hpp"

namespace groundswell::sea {

/// A storm vortex that follows a track, blended over the wind below it.
class VortexEntry final : public ForcingEntry {
public:
    explicit VortexEntry(VortexOptions options) : options_(std::move(options)) {}

    std::string_view key() const override { return "vortex"; }
    std::string value() const override;
    std::vector<std::string> files() const override { return options_.tracks; }
    Blend blend() const override { return Blend::own; }
    /// As Vortex has it; refuses tracks that cannot be read.
    std::unique_ptr<ForcingLayer> make(const LayerPlace& place) const override;

private:
    VortexOptions options_;
};

/// Reads an entry with the key `vortex`.
std::shared_ptr<const ForcingEntry> read_vortex_entry(const simulation::Section& section,
                                                      const ForcingKind& kind);

}  // namespace groundswell::sea
