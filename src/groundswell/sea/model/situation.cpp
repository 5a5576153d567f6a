// The sea of each cell as fields of output see it.
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/products.hpp"

namespace groundswell::sea {

SpectrumInPlace Model::spectrum(std::int32_t cell) const {
    const CellConditions in = conditions(cell);
    return {current_->data() + static_cast<std::size_t>(cell) * grid_.stride(),
            in.wave_number,
            in.group_speed,
            in.depth,
            in.wind_speed,
            in.wind_x,
            in.wind_y};
}

// All that stands in no spectrum.
CellSituation Model::surroundings_of(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    CellSituation situation;
    situation.depth = propagator_.depth(cell);
    situation.forcing = forcing_->cells()[c];
    situation.friction_velocity = source_states_[c].friction_velocity;
    situation.charnock = source_states_[c].charnock;
    return situation;
}

CellSituation Model::situation(std::int32_t cell, Reads reads) const {
    const SpectrumInPlace here = spectrum(cell);
    CellSituation situation = surroundings_of(cell);
    if (includes(reads, Reads::parameters)) situation.sea = integrate_spectrum(grid_, here.action);
    if (includes(reads, Reads::products)) situation.products = integrate_products(grid_, here);
    if (includes(reads, Reads::systems)) situation.systems = find_wave_systems(grid_, here);
    if (includes(reads, Reads::highest))
        situation.highest_wave = highest_wave(grid_, here.action, situation.sea);
    if (includes(reads, Reads::to_ocean)) situation.to_ocean = to_ocean(cell);
    return situation;
}

void Model::find_situations(Reads reads, std::vector<CellSituation>& all) const {
    all.resize(static_cast<std::size_t>(mesh_.owned));
    forcing_->settle();
    if (!device_) {
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            all[static_cast<std::size_t>(cell)] = situation(cell, reads);
        });
        return;
    }
    // Sums over spectra are a device's work, so that these stay there.
    std::span<const SpectrumMoments> moments;
    std::span<const ProductSums> products;
    std::span<const SystemSums> systems;
    std::span<const double> densities;
    std::span<const OceanExchange> exchanges;
    const auto frequencies = static_cast<std::size_t>(grid_.frequencies);
    if (includes(reads, Reads::parameters)) moments = device_->moments(host_state());
    if (includes(reads, Reads::highest)) densities = device_->densities(host_state());
    if (includes(reads, Reads::products))
        products = device_->products(host_state(), [this](std::int32_t cell) { return spectrum(cell); });
    if (includes(reads, Reads::systems)) systems = device_->systems(host_state());
    if (includes(reads, Reads::to_ocean) && package_)
        exchanges = device_->exchanges(surroundings(), time_.cycle_seconds(), host_state());
    device_->bring_back_states(host_state());
    exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
        const auto c = static_cast<std::size_t>(cell);
        all[c] = surroundings_of(cell);
        if (!moments.empty()) all[c].sea = sea_parameters(grid_, moments[c]);
        if (!products.empty()) all[c].products = wave_products(products[c]);
        if (!systems.empty()) all[c].systems = wave_systems(systems[c]);
        if (!densities.empty())
            all[c].highest_wave =
                highest_wave(grid_, densities.subspan(c * frequencies, frequencies), all[c].sea);
        if (!exchanges.empty()) all[c].to_ocean = exchanges[c];
    });
}

}  // namespace groundswell::sea
