#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/simulation/cell_map.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/model.hpp"

/// The least that a run can step: numbers without neighbours, which follow from their place and their past.
namespace groundswell::test {

constexpr std::int64_t toy_cells = 37, toy_layers = 3;
constexpr std::int64_t toy_stride = toy_layers + 2;  // rows of `layers` carry two values of padding

struct ToyCase : simulation::Case {
    std::int64_t seed = 1;
    std::function<void(std::int64_t step)> meets;  ///< what a rank meets in a step

    ToyCase(std::string folder, double seconds) {
        file = "toy.toml";
        title = "toy";
        time.has_date = false;
        time.end = base::Instant{} + base::milliseconds(std::llround(1e3 * seconds));
        output.folder = std::move(folder);
        output.mode = "serial";
    }
};

class ToyModel : public simulation::Model {
public:
    ToyModel(MPI_Comm comm, const ToyCase& run)
        : comm_(comm),
          case_(run),
          owned_(list(comm)),
          rows_(comm, toy_cells, owned_),
          value_(owned_.size()),
          layers_(owned_.size() * toy_stride, -1.0f) {}

    MPI_Comm comm() const override { return comm_; }
    Cells cells() const override { return {rows_.owned(), toy_cells}; }
    parallel::Profile& profile() override { return profile_; }

    /// Steps of one second, two to a cycle.
    simulation::StepRules step_rules() const override {
        simulation::StepRules rules;
        rules.longest_step = 1.0;
        rules.cycle_key = "cycle";
        rules.cycle_name = "cycle";
        rules.longest_cycle = base::seconds(2);
        return rules;
    }

    simulation::State state() override {
        simulation::State state;
        state.dimensions = {{"cell", toy_cells, "cells = 37"}, {"layer", toy_layers, "layers = 3"}};
        state.marks = {{{"seed", case_.seed}, "the seed of this case"}};
        state.add<double>({"value", {}, {"cell"}, {{"units", "m"}}}, rows_, value_.data(), 1);
        state.add<float>({"layers", {}, {"cell", "layer"}, {}}, rows_, layers_.data(), toy_stride);
        return state;
    }

    void start(const simulation::Schedule& /*schedule*/) override {
        for (std::size_t i = 0; i < owned_.size(); ++i) {
            value_[i] = 1.0 / static_cast<double>(owned_[i] + case_.seed + 1);
            for (std::size_t layer = 0; layer < toy_layers; ++layer)
                layers_[i * toy_stride + layer] = static_cast<float>(value_[i]) * static_cast<float>(layer);
        }
    }
    void resume(const simulation::Schedule& /*schedule*/, std::int64_t /*step*/) override {}

    void advance(std::int64_t step) override {
        if (case_.meets) case_.meets(step);
        for (std::size_t i = 0; i < owned_.size(); ++i) {
            for (std::size_t layer = 0; layer < toy_layers; ++layer)
                layers_[i * toy_stride + layer] += static_cast<float>(value_[i]) / 3.0f;
            value_[i] =
                std::fmod(3.7 * value_[i] * (1.0 - value_[i]) + 0.01 * static_cast<double>(step), 1.0);
        }
    }

    std::vector<std::unique_ptr<simulation::Stream>> streams() override {
        std::vector<std::unique_ptr<simulation::Stream>> streams;
        for (const simulation::MapSection& map : case_.output.maps) {
            output::Schema schema;
            schema.dimensions = {{"time", 0, true}, {"cell", toy_cells, false}};
            schema.variables = {simulation::time_variable(case_.time),
                                simulation::field_variable({"value", "", "value", "m"}, {"time", "cell"})};
            const auto fill = [this](std::vector<std::vector<float>>& values) {
                for (std::size_t i = 0; i < owned_.size(); ++i) values[0][i] = static_cast<float>(value_[i]);
            };
            streams.push_back(std::make_unique<simulation::CellMap>(
                simulation::CellMap::Parts{map.file, map.every, schema, &rows_, {"value"}, fill, {}}));
        }
        return streams;
    }

    const std::vector<std::int64_t>& owned() const { return owned_; }
    const std::vector<double>& value() const { return value_; }
    const std::vector<float>& layers() const { return layers_; }
    void forget() {
        value_.assign(value_.size(), 0.0);
        layers_.assign(layers_.size(), -7.0f);
    }

private:
    /// Dealt out in turn and listed backwards, so that no order is taken for granted; of three or more ranks
    /// the second has nothing.
    static std::vector<std::int64_t> list(MPI_Comm comm) {
        const int rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
        std::vector<std::int64_t> owned;
        for (std::int64_t cell = toy_cells - 1; cell >= 0; --cell) {
            const int turn = static_cast<int>(cell % ranks);
            if ((ranks > 2 && turn == 1 ? 0 : turn) == rank) owned.push_back(cell);
        }
        return owned;
    }

    MPI_Comm comm_;
    const ToyCase& case_;
    std::vector<std::int64_t> owned_;
    output::Decomposition rows_;
    std::vector<double> value_;
    std::vector<float> layers_;
    parallel::Profile profile_;
};

/// Runs `work(comm)` on the first `ranks` of all; the others wait for them.
inline void on_first_ranks(int ranks, const std::function<void(MPI_Comm)>& work) {
    const int rank = parallel::rank_of(MPI_COMM_WORLD);
    {
        const parallel::Communicator some =
            parallel::Communicator::split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank);
        if (some) work(some.get());
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace groundswell::test
