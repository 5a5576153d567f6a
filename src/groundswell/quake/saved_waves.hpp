#pragma once

#include <cstddef>
#include <cstdint>
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
    /// `rows`: of the cells; outlives the state, as this does.
    void add_to(simulation::State& state, Wavefield<Real>& field, const output::Decomposition& rows,
                int mechanisms);
    /// Puts what is saved into the field.
    void restore(Wavefield<Real>& field) const;
    void clear() { *this = {}; }

private:
    static std::size_t values_of_cell(const Wavefield<Real>& field) {
        return static_cast<std::size_t>(field.elements().layout().basis) * Elastic::quantities;
    }

    std::vector<Real> waves_, memory_;
    std::vector<double> plastic_;  // [cell][strain, work]
};

template <class Real>
void SavedWaves<Real>::add_to(simulation::State& state, Wavefield<Real>& field,
                              const output::Decomposition& rows, int mechanisms) {
    const std::size_t values = values_of_cell(field), remembered = field.remembered();
    waves_.resize(values * static_cast<std::size_t>(field.cells()));
    exec::for_each_cell(0, field.cells(), [&](std::int32_t cell) {
        Real* to = waves_.data() + static_cast<std::size_t>(cell) * values;
        const Real* from = field.state_of(cell);
        for (std::size_t i = 0; i < values; ++i) to[i] = from[i * field.lanes()];
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
        state.add<Real>(
            {"memory",
             {},
             {"cell", "function", "mechanism", "strain"},
             {{"long_name", "coefficients of what mechanisms remember of the rate of strain, s-1"}}},
            rows, memory_.data(), static_cast<std::int64_t>(remembered));
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
        Real* to = field.state_of(cell);
        for (std::size_t i = 0; i < values; ++i) to[i * field.lanes()] = from[i];
        const Real* memory = memory_.data() + static_cast<std::size_t>(cell) * remembered;
        for (std::size_t i = 0; i < remembered; ++i) field.memory_of(cell)[i * field.lanes()] = memory[i];
    });
    for (std::int32_t cell = 0; field.is_plastic() && cell < field.cells(); ++cell) {
        field.plastic_strain(cell) = plastic_[2 * cell];
        field.plastic_work(cell) = plastic_[2 * cell + 1];
    }
}

}  // namespace groundswell::quake
