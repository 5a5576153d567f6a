#include "groundswell/sea/source/source_workspace.hpp"

namespace groundswell::sea {

SourceWorkspace::SourceWorkspace(const LaneGrid& grid, std::size_t scratch_size)
    : energy(make_lanes(grid.padded_bins())),
      row_energy(make_lanes(grid.frequency_lanes)),
      wave_number(make_lanes(grid.frequency_lanes, Real(1))),
      group_speed(make_lanes(grid.frequency_lanes, Real(1))),
      inverse_phase_speed(make_lanes(grid.frequency_lanes)),
      source(make_lanes(grid.padded_bins())),
      derivative(make_lanes(grid.padded_bins())),
      decay(make_lanes(grid.frequency_lanes)),
      column_a(make_lanes(grid.frequency_lanes)),
      column_b(make_lanes(grid.frequency_lanes)),
      column_c(make_lanes(grid.frequency_lanes)),
      column_d(make_lanes(grid.frequency_lanes)),
      growth(make_lanes(grid.padded_bins())),
      saturation(make_lanes(grid.padded_bins())),
      scratch(make_lanes(static_cast<int>(scratch_size))),
      whole(make_lanes(grid.bins())) {}

}  // namespace groundswell::sea
