#include "groundswell/quake/layer/options.hpp"

namespace groundswell::quake {

std::optional<LayerOptions> read_layer(const simulation::Section& section) {
    if (!section.has("thickness") && !section.has("strength") && !section.describing()) return std::nullopt;
    constexpr const char* source = "Cerjan, Kosloff, Kosloff & Reshef 1985, doi:10.1190/1.1441945";
    LayerOptions options;
    options.stated_at = section.place("");
    options.thickness = section.number(
        "thickness", std::nullopt, {1e-9, 1e9},
        {"of the layer in which waves fade, beside absorbing sides and above an absorbing bottom; no layer "
         "if the case has no such section",
         "m", source});
    options.strength = section.number(
        "strength", 0.5, {0.0, 100.0},
        {"an S wave that comes in at a right angle is e to the power of minus this at the boundary", "1"});
    return options;
}

}  // namespace groundswell::quake
