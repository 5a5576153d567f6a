#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <vector>

#include "groundswell/gridded/grid_series.hpp"
#include "groundswell/sea/wind/options.hpp"
#include "groundswell/sea/wind/wind_layer.hpp"

namespace groundswell::sea {

/// 10 m wind from CF NetCDF files. Each component is interpolated by itself, linear in time and bilinear in
/// the axes of their grid. Components along the axes of a mapped grid are turned towards true east and north at each cell.
/// A file may hold both components or one.
class WindFile final : public WindLayer {
public:
    /// Throws base::Refusal; see gridded::GridSeries for what is checked.
    WindFile(const WindFileOptions& options, std::span<const double> longitude,
             std::span<const double> latitude, base::Instant start, base::Instant end);

    void open(MPI_Comm group, base::Instant start) override;
    void apply(base::Instant time, std::span<double> eastward, std::span<double> northward) override;
    parallel::ReadCost cost() const override;

private:
    double check_mebibytes_;
    std::optional<gridded::GridSeries> eastward_, northward_;
    struct Turn {
        double cosine, sine;  // of the angle from the grid's x axis to true east
    };
    std::vector<Turn> turns_;  // [owned] if the components are along the grid
};

}  // namespace groundswell::sea
