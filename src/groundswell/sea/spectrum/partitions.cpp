#include "groundswell/sea/spectrum/partitions.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace groundswell::sea {

WaveSystems find_wave_systems(const SpectralGrid& grid, const SpectrumInPlace& spectrum) {
    const SumAxes axes = SumAxes::of(grid);
    thread_local std::vector<std::byte> scratch;
    scratch.resize(SystemSearch::scratch_bytes(axes, 1));
    exec::Block block(0, 0, 1, scratch, {});
    SystemSearch search(block, axes);
    return wave_systems(search.find(block, spectrum.action, wind_on(spectrum),
                                    [&](int i) { return spectrum.wave_number[i]; }));
}

WaveSystems wave_systems(const SystemSums& sums) {
    WaveSystems systems{};
    std::ranges::transform(sums, systems.begin(), wave_part);
    return systems;
}

}  // namespace groundswell::sea
