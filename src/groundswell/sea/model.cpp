#include "groundswell/sea/model.hpp"

#include <fmt/format.h>

#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/layout.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/halo_exchange.hpp"
#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/mesh/load_mesh.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"
#include "groundswell/sea/spectrum_reach.hpp"

namespace groundswell::sea {

namespace {

GlobalStepLimit find_step_limit(MPI_Comm comm, const voronoi::LocalMesh& mesh, const StepLimit& mine) {
    parallel::Located located;
    const auto cell = static_cast<std::size_t>(mine.cell);
    if (mine.cell >= 0) located = {mine.seconds, mesh.id[cell]};
    const parallel::Located shortest = parallel::min_located(comm, located);
    GlobalStepLimit limit;
    limit.seconds = shortest.id == parallel::Located::no_id ? mine.seconds : shortest.value;
    if (shortest.id == parallel::Located::no_id) return limit;
    const bool here = mine.cell >= 0 && mesh.id[cell] == shortest.id;
    constexpr double nothing = -1e300;
    limit.mesh_cell = parallel::max(comm, here ? mesh.mesh_cell[cell] : std::int64_t{0});
    limit.lon = parallel::max(comm, here ? mesh.lon[cell] : nothing);
    limit.lat = parallel::max(comm, here ? mesh.lat[cell] : nothing);
    limit.frequency = static_cast<int>(parallel::max(comm, std::int64_t{here ? mine.frequency : 0}));
    limit.direction = static_cast<int>(parallel::max(comm, std::int64_t{here ? mine.direction : 0}));
    return limit;
}

// `loaded`: as the mesh file has it; `mesh`: the same, or with images.
Propagator make_propagator(MPI_Comm comm, const Case& run, const voronoi::LocalMesh& loaded,
                           const voronoi::LocalMesh& mesh, const SpectralGrid& grid) {
    PropagationOptions options = run.propagation;
    if (options.swell_age > 0.0)
        options.swell_age = std::min(options.swell_age, oldest_swell(comm, loaded, grid));
    if (run.mesh.obstruction.empty()) return {mesh, grid, options};
    const Obstruction obstruction = read_obstruction(comm, run.mesh.obstruction, run.mesh.file, loaded);
    return {mesh, grid, options, &obstruction};
}

}  // namespace

Model::Model(MPI_Comm comm, const Case& run, const voronoi::LocalMesh& mesh)
    : comm_(comm),
      case_(run),
      mesh_(mesh),
      grid_(run.spectrum.frequencies, run.spectrum.directions, run.spectrum.first_frequency,
            run.spectrum.ratio),
      clustered_(mesh.groups.size() > 1 ? std::make_unique<ClusteredMesh>(mesh) : nullptr),
      propagator_(make_propagator(comm, run, mesh, clustered_ ? clustered_->mesh : mesh, grid_)),
      plan_(std::make_shared<halo::Plan>(comm, mesh.owned_ids(), mesh.halo_ids())),
      first_(clustered_ ? layout_of(*plan_, *clustered_) : halo::Layout(*plan_), grid_.stride(), 0,
             run.halo.memory()),
      second_(clustered_ ? layout_of(*plan_, *clustered_) : halo::Layout(*plan_), grid_.stride(), 0,
              run.halo.memory()),
      current_(&first_),
      next_(&second_),
      step_limit_(run.propagates ? find_step_limit(comm, mesh, propagator_.longest_step())
                                 : GlobalStepLimit{std::numeric_limits<double>::infinity()}),
      source_states_(exec::make_cell_array<SourceState>(mesh.owned, 1)),
      ice_(grid_, run.ice),
      propagation_(profile_.add_phase("propagation", parallel::PhaseKind::even)),
      forcing_phase_(profile_.add_phase("forcing", parallel::PhaseKind::service)),
      source_(profile_.add_phase("source", parallel::PhaseKind::computing)) {
    for (const mesh::CellGroup& group : mesh.groups)
        cells_of_clusters_.push_back(parallel::sum(comm, std::int64_t{group.owned().cells()}));
    if (clustered_)
        clusters_.emplace(comm, *clustered_, propagator_, run.propagation.scheme, first_, second_, run.halo,
                          profile_, propagation_, run.on_gpu);
    else if (!run.on_gpu)
        exchange_.emplace(make_exchange(run, plan_, grid_, propagator_, first_.data(), profile_));
    if (run.physics.package != "none") {
        package_ = kernel_set().make_source_package(grid_, run.physics);
        for (int thread = 0; thread < exec::threads(); ++thread)
            workspaces_.push_back(std::make_unique<SourceWorkspace>(package_->make_workspace()));
    }
    if (!run.boundaries.empty())
        boundary_ = std::make_unique<Boundary>(
            comm, run.file, run.boundaries, OpenMesh{run.mesh.file, run.mesh.open_beyond},
            clustered_ ? clustered_->mesh : mesh, grid_, run.propagation.scheme, propagator_);
    for (const WaveMakerSection& maker : run.wave_makers) {
        HeldCells held;
        held.action.resize(grid_.stride());
        fill_spectrum(grid_, maker.sea, 1.0, held.action.data());
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            if (is_inside(maker.region, mesh.lon[cell], mesh.lat[cell])) held.cells.push_back(cell);
        const auto cells = parallel::max(comm, static_cast<std::int64_t>(held.cells.size()));
        parallel::agree(comm, [&] {
            base::require(cells > 0, run.file, "wave_maker[].region",
                          fmt::format("[{}]", fmt::join(maker.region, ", ")),
                          "a region with a sea cell in it");
        });
        held_.push_back(std::move(held));
    }
    if (run.on_gpu) make_device();
}

void Model::open_forcing(base::Instant from) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    const parallel::MemoryHolder holder(parallel::MemoryPart::forcing);
    const voronoi::LocalMesh& cells = clustered_ ? clustered_->mesh : mesh_;
    forcing_ =
        std::make_unique<Forcing>(comm_, case_.file, case_.forcing,
                                  ForcedCells{cells.lon, cells.lat, static_cast<std::size_t>(cells.owned)},
                                  from, time_.instant_at(time_.total_steps));
    if (boundary_) boundary_->open(from, middle_of_cycle(from), time_.instant_at(time_.total_steps));
    read_forcing(from, false);
    if (device_) use_forcing_on_device();
}

void Model::read_forcing(base::Instant time, bool shift) {
    const parallel::PhaseTimer timer(profile_, forcing_phase_);
    forcing_->read(time);
    if (forcing_->has("ice") && case_.ice.form == IceForm::blocking) let_through_ice();
    if (propagator_.has_water()) set_water(shift);
    if (boundary_) boundary_->set(middle_of_cycle(time));
    if (boundary_ && device_) device_->let_in();
}

void Model::start(const simulation::Schedule& schedule) {
    time_ = schedule;
    step_ = 0;
    open_forcing(schedule.start);
    fill_initial_state();
    hold_wave_makers();
    if (package_) {
        warn_of_light_wind(comm_, case_, grid_,
                           forcing_->cells().first(static_cast<std::size_t>(mesh_.owned)));
        warn_of_idle_triads(comm_, case_, grid_, propagator_, mesh_.owned);
    }
    if (!package_ || case_.initial.state == InitialState::restart) return;
    // The air alone, so that the first record has the stress that belongs to the first sea: on the host, whoever has held cells.
    source_states();
    exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
        SourceWorkspace& workspace = *workspaces_[exec::thread_index()];
        package_->load(block(cell), conditions(cell), static_cast<Real>(time_.cycle_seconds()),
                       source_states_[cell], workspace);
        package_->meet_air(workspace);
    });
}

void Model::restart(const simulation::Schedule& schedule, std::int64_t step) {
    time_ = schedule;
    step_ = step;
    open_forcing(schedule.instant_at(step));
}

void Model::fill_initial_state() {
    const InitialSection& initial = case_.initial;
    const FetchSea fetch_sea{initial.fetch};
    const voronoi::Vector3 centre = voronoi::point_at(initial.lon * base::degree, initial.lat * base::degree);
    exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
        const auto c = static_cast<std::size_t>(cell);
        if (propagator_.is_dry(cell)) return;
        if (initial.state == InitialState::wind_sea) {
            const CellForcing& felt = forcing_->cells()[c];
            const double east = felt.eastward_wind, north = felt.northward_wind;
            fill_wind_sea(grid_, fetch_sea, std::hypot(east, north), std::atan2(north, east), block(cell));
            if (felt.ice_concentration > 0)
                for (int b = 0; b < grid_.bins(); ++b) block(cell)[b] *= open_water(cell);
        } else if (initial.state == InitialState::swell) {
            const double distance =
                base::earth_radius * voronoi::arc(centre, voronoi::point_at(mesh_.lon[c], mesh_.lat[c]));
            const double factor =
                initial.radius > 0.0 ? std::exp(-0.5 * std::pow(distance / initial.radius, 2)) : 1.0;
            fill_spectrum(grid_, initial.swell, factor, block(cell));
        }
    });
}

Real* Model::block(std::int32_t cell) {
    return clusters_ ? clusters_->block(cell)
                     : current_->data() + static_cast<std::size_t>(cell) * grid_.stride();
}

void Model::advance() {
    if (case_.propagates) propagate();
    ++step_;
    hold_wave_makers();
    if (time_.ends_cycle(step_)) apply_sources();
}

void Model::propagate() {
    const double seconds = time_.step_seconds() / step_parts_;
    for (int part = 0; part < step_parts_; ++part) {
        if (part > 0) hold_wave_makers();
        propagate_once(seconds, part + 1 == step_parts_);
    }
}

void Model::propagate_once(double dt, bool is_last) {
    if (device_) {
        propagate_on_device(dt, is_last);
        return;
    }
    if (clusters_) {
        clusters_->advance(dt, [this] { hold_wave_makers(); });
        return;
    }
    const Real* old = current_->data();
    Real* fresh = next_->data();
    exchange_->start(current_->data());
    {
        const parallel::PhaseTimer timer(profile_, propagation_);
        exchange_->compute(mesh_.interior(), polling_piece(grid_.bins()),
                           [&](std::int32_t first, std::int32_t last) {
                               propagator_.propagate_cells(first, last, fresh, old, dt);
                           });
    }
    exchange_->finish();
    {
        const parallel::PhaseTimer timer(profile_, propagation_);
        propagator_.propagate_cells(mesh_.interior(), mesh_.owned, fresh, old, dt);
    }
    std::swap(current_, next_);
}

void Model::propagate_alone() {
    propagator_.propagate_cells(0, mesh_.owned, next_->data(), current_->data(), time_.step_seconds());
    std::swap(current_, next_);
}

void Model::apply_sources() {
    if (forcing_->has_any() || boundary_) read_forcing(time_.instant_at(step_), true);
    integrate_sources();
}

std::int64_t Model::source_evaluations() const {
    std::int64_t sum = 0;
    for (const auto& workspace : workspaces_) sum += workspace->evaluations;
    return sum;
}

simulation::Model::StateMemory Model::state_memory() const {
    simulation::Model::StateMemory memory;
    memory.in_heap = memory.bytes = static_cast<std::int64_t>(source_states_.size() * sizeof(SourceState));
    for (const halo::Field<Real>* field : {&first_, &second_}) {
        const auto bytes = static_cast<std::int64_t>(field->stride() * sizeof(Real)) * field->ids();
        memory.bytes += bytes;
        if (field->memory() == halo::Memory::own) memory.in_heap += bytes;
    }
    return memory;
}

}  // namespace groundswell::sea
