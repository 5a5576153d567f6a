#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/viscoelastic.hpp"
#include "groundswell/quake/wavefield.hpp"
#include "groundswell/simulation/state.hpp"

namespace groundswell::quake {

/// A wave field as restart files have it, cell by cell.
template <class Real>
class SavedWaves {
public:
    /// Adds what a restart needs, with the values of now; those of a restart file are put in their place before restore().
    /// `has_sea`: some rank has a sea surface. `rows`: of the cells; outlives the state, as this does.
    void add_to(simulation::State& state, Wavefield<Real>& field, const output::Decomposition& rows,
                int mechanisms, bool has_sea);
    /// Puts what is saved into the field.
    void restore(Wavefield<Real>& field) const;
    void clear() { *this = {}; }

private:
    static std::size_t values_of_cell(const Wavefield<Real>& field) {
        return static_cast<std::size_t>(field.elements().layout().basis) * Elastic::quantities;
    }

    std::vector<Real> waves_, memory_;
    std::vector<double> eta_;      // [cell][function]
    std::vector<double> plastic_;  // [cell][strain, work]
};

template <class Real>
void SavedWaves<Real>::add_to(simulation::State& state, Wavefield<Real>& field,
                              const output::Decomposition& rows, int mechanisms, bool has_sea) {
    const std::size_t values = values_of_cell(field), remembered = field.remembered();
    field.fetch_state();
    waves_.resize(values * static_cast<std::size_t>(field.cells()));
    exec::for_each_cell(0, field.cells(), [&](std::int32_t cell) {
        Real* to = waves_.data() + static_cast<std::size_t>(cell) * values;
        for (int i = 0; i < static_cast<int>(values); ++i)
            to[i] = std::as_const(field).coefficient(cell, i / Elastic::quantities, i % Elastic::quantities);
    });
    state.add<Real>(
        {"state",
         {},
         {"cell", "function", "quantity"},
         {{"long_name", "coefficients of the orthogonal basis: stresses in Pa, velocities in m s-1"}}},
        rows, waves_.data(), static_cast<std::int64_t>(values));
    if (remembered > 0) {
        memory_.resize(remembered * static_cast<std::size_t>(field.cells()));
        exec::for_each_cell(0, field.cells(), [&](std::int32_t cell) {
            Real* to = memory_.data() + static_cast<std::size_t>(cell) * remembered;
            const Real* from = field.memory_of(cell);
            for (std::size_t i = 0; i < remembered; ++i) to[i] = from[i * field.lanes()];
        });
        state.dimensions.push_back({"mechanism", mechanisms, "attenuation.mechanisms"});
        state.dimensions.push_back({"strain", Viscoelastic::strains, "viscoelastic waves"});
        state.add<Real>({"relaxed_strain",
                         {},
                         {"cell", "function", "mechanism", "strain"},
                         {{"long_name", "coefficients of the strain of the mechanisms' dashpots, 1"}}},
                        rows, memory_.data(), static_cast<std::int64_t>(remembered));
    }
    const SeaSurface& sea = field.sea();
    if (has_sea) {
        const auto functions = static_cast<std::size_t>(face_basis_size(field.elements().layout().order));
        eta_.assign(functions * static_cast<std::size_t>(field.cells()), 0.0);
        for (std::int32_t cell = 0; cell < field.cells(); ++cell)
            if (const std::int32_t face = sea.face_of(cell); face >= 0)
                std::ranges::copy(sea.eta(face),
                                  eta_.begin() + static_cast<std::ptrdiff_t>(functions * cell));
        state.dimensions.push_back({"face_function", static_cast<std::int64_t>(functions), "solver.order"});
        state.add<double>({"eta",
                           {},
                           {"cell", "face_function"},
                           {{"long_name", "coefficients of the displacement of the sea's surface, m"}}},
                          rows, eta_.data(), static_cast<std::int64_t>(functions));
    }
    if (!field.is_plastic()) return;
    plastic_.resize(2 * static_cast<std::size_t>(field.cells()));
    exec::for_each_cell(0, field.cells(), [&](std::int32_t cell) {
        plastic_[2 * cell] = field.plastic_strain(cell);
        plastic_[2 * cell + 1] = field.plastic_work(cell);
    });
    state.dimensions.push_back({"plastic", 2, "[plasticity]"});
    state.add<double>({"plasticity",
                       {},
                       {"cell", "plastic"},
                       {{"long_name", "plastic strain, 1, and work that it took, J m-3"}}},
                      rows, plastic_.data(), 2);
}

template <class Real>
void SavedWaves<Real>::restore(Wavefield<Real>& field) const {
    const std::size_t values = values_of_cell(field), remembered = field.remembered();
    exec::for_each_cell(0, field.cells(), [&](std::int32_t cell) {
        const Real* from = waves_.data() + static_cast<std::size_t>(cell) * values;
        for (int i = 0; i < static_cast<int>(values); ++i)
            field.coefficient(cell, i / Elastic::quantities, i % Elastic::quantities) = from[i];
        const Real* memory = memory_.data() + static_cast<std::size_t>(cell) * remembered;
        for (std::size_t i = 0; i < remembered; ++i) field.memory_of(cell)[i * field.lanes()] = memory[i];
    });
    const std::size_t functions =
        eta_.size() / std::max<std::size_t>(1, static_cast<std::size_t>(field.cells()));
    for (std::int32_t cell = 0; !eta_.empty() && cell < field.cells(); ++cell)
        if (const std::int32_t face = field.sea().face_of(cell); face >= 0)
            std::copy_n(eta_.begin() + static_cast<std::ptrdiff_t>(functions * cell), functions,
                        field.sea().eta(face).begin());
    for (std::int32_t cell = 0; field.is_plastic() && cell < field.cells(); ++cell) {
        field.plastic_strain(cell) = plastic_[2 * cell];
        field.plastic_work(cell) = plastic_[2 * cell + 1];
    }
}

}  // namespace groundswell::quake
