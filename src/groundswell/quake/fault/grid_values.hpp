#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/gridded/space_grid.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/fault/laws/law.hpp"

namespace groundswell::quake {

/// Stress and numbers of friction on a grid of a NetCDF file: variables named as the keys of an entry, static_friction, stress_xy,
/// traction_strike, nucleation_stress_xy, … Between points each goes straight along each axis.
class FaultGrid {
public:
    /// Quantity of a variable: a number of the law by its place in LawDescription::at_places, or a component.
    struct Column {
        enum What { parameter, stress, traction, nucleation_stress, nucleation_traction, thermal };
        What what;
        std::size_t index;
    };
    static constexpr std::size_t most = 32;
    using Values = std::array<double, most>;

    /// Places beyond the grid are refused, or with `nearest` have the values of its edge.
    FaultGrid(std::string file, bool nearest) : file_(std::move(file)), nearest_(nearest) {}

    const std::string& file() const { return file_; }
    /// Reads what a region needs, by this rank alone. base::Refusal for a file without any variable that the law knows.
    void load(const LawDescription& law, const gridded::Region& region);

    const std::vector<Column>& columns() const { return columns_; }
    /// Whether there is a nucleation among them.
    bool nucleates() const;
    /// By column, in SI; the values of only one kind are looked at if that is all that is asked for. base::Refusal where the
    /// grid does not reach, and of what is looked at for holes and for numbers that the law forbids.
    Values at(const tetra::Point& place, std::optional<Column::What> only = {}) const;

private:
    std::string file_;
    bool nearest_;
    const LawDescription* law_ = nullptr;
    std::vector<Column> columns_;
    std::optional<gridded::SpaceGrid> grid_;
};

}  // namespace groundswell::quake
