// A whole model in one file: heat spreads in a square plate that is joined to itself at its edges.
//
//   mpirun -n 4 plate plate.toml          see plate.toml beside this file; --help tells all arguments
//
// What stands here is the physics and what is particular to it. The case file with its refusals, --check and
// --explain, the time step, output files in every mode, restarts with the same bits, SIGTERM, the progress line,
// the profile and the summary are those of every model on groundswell::simulation.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/simulation/cell_map.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/program.hpp"

namespace groundswell::plate {

// ------------------------------------------------------------------------------------------------- the case
struct PlateCase : simulation::Case {
    int cells = 0;             // along a side
    double length = 0.0;       // m, of a side
    double diffusivity = 0.0;  // m² s⁻¹
    halo::ExchangeOptions halo;
};

// Asks for every key; each question carries its meaning, unit, range and default.
std::unique_ptr<simulation::Case> read_case(const simulation::CaseReader& reader, const std::string& folder) {
    auto run = std::make_unique<PlateCase>();
    simulation::read_common(reader, *run);
    const simulation::Section root = reader.root(), plate = root.section("plate");
    run->time =
        simulation::read_time(root.section("time"), {"step; automatic: the longest stable one"}, false);
    run->cells = plate.integer("cells", 100, {3, 30000}, {"cells along a side"});
    run->length = plate.number("length", 1.0, {1e-3, 1e3}, {"length of a side", "m"});
    run->diffusivity = plate.number("diffusivity", 1.1e-4, {1e-9, 1.0}, {"thermal diffusivity", "m2 s-1"});
    run->halo = simulation::read_halo(root.section("halo"), *run);
    run->output =
        simulation::read_output(root.section("output"), reader, folder, {{"temperature"}, {"temperature"}});
    return run;
}

// ------------------------------------------------------------------------------------------------- the mesh
// Cells in rows; each rank owns a block of rows and needs the row before it and the one behind it.
struct Mesh {
    std::int64_t side = 0, first_row = 0, rows = 0;

    Mesh(MPI_Comm comm, int cells) : side(cells) {
        const std::int64_t rank = parallel::rank_of(comm), ranks = parallel::size_of(comm);
        first_row = rank * side / ranks;
        rows = (rank + 1) * side / ranks - first_row;
    }
    std::int32_t owned() const { return static_cast<std::int32_t>(rows * side); }
    std::vector<std::int64_t> row(std::int64_t number) const {
        std::vector<std::int64_t> ids;
        for (std::int64_t j = 0; j < side; ++j) ids.push_back((number + side) % side * side + j);
        return ids;
    }
    std::vector<std::int64_t> owned_ids() const {
        std::vector<std::int64_t> ids;
        for (std::int64_t i = 0; i < rows * side; ++i) ids.push_back(first_row * side + i);
        return ids;
    }
    std::vector<std::int64_t> needed_ids() const {
        if (rows == 0) return {};
        std::vector<std::int64_t> ids = row(first_row - 1), behind = row(first_row + rows);
        ids.insert(ids.end(), behind.begin(), behind.end());
        return ids;
    }
    // Where a row of this rank begins, or the one before (-1) or behind (rows) its own.
    std::int64_t begin(std::int64_t row) const {
        return row < 0 ? rows * side : row == rows ? (rows + 1) * side : row * side;
    }
};

// ------------------------------------------------------------------------------------------------- the model
class Plate : public simulation::Model {
public:
    Plate(MPI_Comm comm, const PlateCase& run)
        : comm_(comm),
          case_(run),
          mesh_(comm, run.cells),
          plan_(std::make_shared<const halo::Plan>(comm, mesh_.owned_ids(), mesh_.needed_ids())),
          first_(*plan_, 1, 0, run.halo.memory()),
          second_(*plan_, 1, 0, run.halo.memory()),
          exchange_({{plan_, {first_.channel()}, {first_.data()}}}, run.halo, profile_),
          cells_(comm, mesh_.side * mesh_.side, mesh_.owned_ids()),
          diffusion_(profile_.add_phase("diffusion", parallel::PhaseKind::even)) {}

    MPI_Comm comm() const override { return comm_; }
    Cells cells() const override { return {mesh_.owned(), mesh_.side * mesh_.side}; }
    parallel::Profile& profile() override { return profile_; }

    // An explicit step of this scheme is stable up to width² / 4 diffusivity.
    simulation::StepRules step_rules() const override {
        simulation::StepRules rules;
        rules.longest_step = width() * width() / (4.0 * case_.diffusivity);
        rules.share = 0.9;
        rules.what = "this plate";
        return rules;
    }

    // Everything that the next step needs. A restart of another plate is refused by the length of its dimension.
    simulation::State state() override {
        simulation::State state;
        state.dimensions = {{"cell", mesh_.side * mesh_.side, fmt::format("plate.cells = {}", mesh_.side)}};
        state.add<double>({"temperature", {}, {"cell"}, {{"units", "K"}}}, cells_, now_->data(), 1);
        return state;
    }

    // A warm spot in the middle.
    void start(const simulation::Schedule& schedule) override {
        for (std::int32_t i = 0; i < mesh_.owned(); ++i) {
            const double dx = x(i) / case_.length - 0.5, dy = y(i) / case_.length - 0.5;
            (*now_)[i][0] = 300.0 + 100.0 * std::exp(-50.0 * (dx * dx + dy * dy));
        }
        resume(schedule, 0);
    }
    void resume(const simulation::Schedule& schedule, std::int64_t /*step*/) override {
        share_ = case_.diffusivity * schedule.step_seconds() / (width() * width());
    }

    // Rows in the middle are computed while the rows of other ranks are under way.
    void advance(std::int64_t step) override {
        const auto inner = static_cast<std::int32_t>(std::max<std::int64_t>(mesh_.rows - 2, 0));
        exchange_.start(now_->data());
        exchange_.compute(inner, piece(),
                          [&](std::int32_t first, std::int32_t last) { update(first + 1, last + 1); });
        exchange_.finish();
        update(0, std::min<std::int64_t>(mesh_.rows, 1));
        update(std::max<std::int64_t>(mesh_.rows - 1, 1), mesh_.rows);
        std::swap(now_, next_);
        for (std::int32_t i = 0; i < mesh_.owned(); ++i)
            if (!std::isfinite((*now_)[i][0]))
                throw base::RunFailure(
                    fmt::format("{}: the temperature of cell {} is not finite after step {}", case_.file,
                                mesh_.first_row * mesh_.side + i, step + 1));
    }

    std::vector<std::unique_ptr<simulation::Stream>> streams() override {
        std::vector<std::unique_ptr<simulation::Stream>> streams;
        for (const simulation::MapSection& map : case_.output.maps) streams.push_back(make_map(map));
        return streams;
    }

    void report(const simulation::Schedule&, std::int64_t steps, simulation::Report& report) override {
        if (steps > 0) exchange_.report().add_to(report);
    }

private:
    double width() const { return case_.length / static_cast<double>(mesh_.side); }
    double x(std::int32_t cell) const { return (static_cast<double>(cell % mesh_.side) + 0.5) * width(); }
    double y(std::int32_t cell) const {
        return (static_cast<double>(mesh_.first_row + cell / mesh_.side) + 0.5) * width();
    }

    // Rows between two looks after messages, about a millisecond's work.
    std::int32_t piece() const { return 1 + static_cast<std::int32_t>(500'000 / mesh_.side); }

    void update(std::int64_t from, std::int64_t to) {
        const parallel::PhaseTimer timer(profile_, diffusion_);
        const double* old = now_->data();
        double* fresh = next_->data();
        for (std::int64_t row = from; row < to; ++row) {
            const std::int64_t here = mesh_.begin(row), before = mesh_.begin(row - 1),
                               behind = mesh_.begin(row + 1);
            for (std::int64_t j = 0; j < mesh_.side; ++j) {
                const double west = old[here + (j + mesh_.side - 1) % mesh_.side];
                const double east = old[here + (j + 1) % mesh_.side];
                const double sum = west + east + old[before + j] + old[behind + j];
                fresh[here + j] = old[here + j] + share_ * (sum - 4.0 * old[here + j]);
            }
        }
    }

    std::unique_ptr<simulation::Stream> make_map(const simulation::MapSection& map) {
        output::Schema schema;
        schema.dimensions = {{"time", 0, true}, {"cell", mesh_.side * mesh_.side, false}};
        schema.variables = {simulation::time_variable(case_.time),
                            {"x", output::Type::float64, {"cell"}, {{"units", "m"}}},
                            {"y", output::Type::float64, {"cell"}, {{"units", "m"}}},
                            simulation::field_variable({"temperature", "", "temperature of the plate", "K"},
                                                       {"time", "cell"})};
        schema.attributes = simulation::global_attributes(
            case_, {"A warm plate", "Heat in a plate", "heat, diffusion", "five-point diffusion"}, "CF-1.11");
        const auto fill = [this](std::vector<std::vector<float>>& values) {
            for (std::int32_t i = 0; i < mesh_.owned(); ++i)
                values[0][static_cast<std::size_t>(i)] = static_cast<float>((*now_)[i][0]);
        };
        const auto write_fixed = [this](output::Dataset& file) {
            std::vector<double> xs, ys;
            for (std::int32_t i = 0; i < mesh_.owned(); ++i) {
                xs.push_back(x(i));
                ys.push_back(y(i));
            }
            file.write_fixed(output::distributed<double>("x", cells_, xs));
            file.write_fixed(output::distributed<double>("y", cells_, ys));
        };
        return std::make_unique<simulation::CellMap>(simulation::CellMap::Parts{
            map.file, map.every, schema, &cells_, {"temperature"}, fill, write_fixed});
    }

    MPI_Comm comm_;
    const PlateCase& case_;
    Mesh mesh_;
    std::shared_ptr<const halo::Plan> plan_;
    halo::Field<double> first_, second_;
    halo::Field<double>*now_ = &first_, *next_ = &second_;
    parallel::Profile profile_;
    halo::Exchanges exchange_;
    output::Decomposition cells_;
    parallel::Phase diffusion_;
    double share_ = 0.0;  // of the difference to a neighbour that flows in a step
};

std::unique_ptr<simulation::Model> make_model(MPI_Comm comm, const simulation::Case& run) {
    return std::make_unique<Plate>(comm, dynamic_cast<const PlateCase&>(run));
}

/// The name of the model in case files, a line for people, and what makes a case and a model.
simulation::ModelKind model_kind() {
    return {"plate", "Heat in a plate, a model on groundswell.", read_case, make_model};
}

}  // namespace groundswell::plate

// A program of its own; among the models of the program groundswell the file ends here.
int main(int argc, char** argv) {
    return groundswell::simulation::run_program(argc, argv, {groundswell::plate::model_kind()});
}
