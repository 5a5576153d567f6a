#include "groundswell/sea/propagation/propagator.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/propagation/flow.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/on_device.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

namespace {

std::unique_ptr<PropagationKernel> make_kernel(const PropagationTables& tables) {
    const PropagationKernels& kernels = propagation_kernels();
    if (tables.options.scheme == PropagationScheme::upwind) return kernels.make_upwind(tables);
    return kernels.make_second_order(tables);
}

}  // namespace

std::unique_ptr<PropagationOnDevice> make_propagation_on_device(const PropagationTables& tables,
                                                                exec::Device& device, exec::Stream stream) {
    if (tables.options.scheme == PropagationScheme::second_order)
        return make_second_order_on_device(tables, device, stream);
    return make_upwind_on_device(tables, device, stream);
}

Propagator::Propagator(const voronoi::LocalMesh& mesh, const SpectralGrid& grid,
                       const PropagationOptions& options, const Obstruction* obstruction)
    : tables_(std::make_unique<PropagationTables>(mesh, grid, options, obstruction)),
      kernel_(make_kernel(*tables_)),
      flow_kernel_(tables_->flow ? propagation_kernels().make_flow(*tables_) : nullptr) {}
Propagator::~Propagator() = default;
Propagator::Propagator(Propagator&&) noexcept = default;
Propagator& Propagator::operator=(Propagator&&) noexcept = default;

void Propagator::propagate_cells(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old,
                                 double dt) {
    kernel_->propagate(begin, end, n_new, n_old, dt);
    if (flow_kernel_) flow_kernel_->change_spectra(begin, end, n_new, dt);
}

void Propagator::propagate_cells_plain(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old,
                                       double dt) {
    make_plain_kernel(*tables_)->propagate(begin, end, n_new, n_old, dt);
    if (flow_kernel_) flow_kernel_->change_spectra(begin, end, n_new, dt);
}

void Propagator::set_water(std::span<const CellForcing> cells,
                           const std::function<Real*(std::int32_t)>& block) {
    tables_->set_water(cells, [&](std::int32_t cell, const Real* density, const Real* potential) {
        if (!block) return;
        if (tables_->flow->dry[cell])
            std::fill_n(block(cell), tables_->grid.stride(), Real(0));
        else
            flow_kernel_->change_depth(cell, block(cell), density, potential);
    });
}

Propagator::NewWater Propagator::set_water(std::span<const CellForcing> cells) {
    std::vector<std::uint8_t> marked(static_cast<std::size_t>(tables_->mesh.owned), 0);
    NewWater water{
        tables_->set_water(cells, [&](std::int32_t cell, const Real*, const Real*) { marked[cell] = 1; }),
        {}};
    for (std::int32_t cell = 0; cell < tables_->mesh.owned; ++cell)
        if (marked[cell] != 0) water.cells.push_back(cell);
    return water;
}

std::unique_ptr<PropagationOnDevice> Propagator::on_device(exec::Device& device, exec::Stream stream) const {
    return make_propagation_on_device(*tables_, device, stream);
}

std::span<const double> Propagator::steps_now() const {
    return tables_->flow ? std::span<const double>(tables_->flow->steps) : longest_steps();
}

std::span<const double> Propagator::depths() const {
    return tables_->flow ? tables_->flow->depth : tables_->mesh.depth;
}

bool Propagator::is_dry(std::int32_t cell) const {
    return tables_->flow && tables_->flow->dry[cell] != 0;
}

std::vector<halo::RowRange> Propagator::needed_directions() const {
    return tables_->needed_directions();
}

double Propagator::swell_age() const {
    return tables_->options.swell_age;
}

const StepLimit& Propagator::longest_step() const {
    return tables_->longest_step;
}

std::span<const double> Propagator::longest_steps() const {
    return tables_->longest_steps;
}

void Propagator::use_images(std::int32_t first, Real* profiles) {
    kernel_->use_images(first, profiles);
}

void Propagator::set_profiles(std::span<const std::int32_t> cells, std::int32_t first, const Real* n_old,
                              double dt) {
    kernel_->set_profiles(cells, first, n_old, dt);
}

void Propagator::keep_half_profiles(std::span<const std::int32_t> image_of_cell, bool add) {
    kernel_->keep_half_profiles(image_of_cell, add);
}

void Propagator::action_of_invariant(std::int32_t cell, const Real* m, Real* n) const {
    const Real* const ratio = tables_->ratios(cell);
    const int directions = tables_->grid.directions;
    for (int f = 0; f < tables_->grid.frequencies; ++f, m += directions, n += directions) {
        for (int d = 0; d < directions; ++d) n[d] = m[d] / ratio[f];
    }
}

void Propagator::let_through(std::span<const Real> share) {
    const voronoi::LocalMesh& mesh = tables_->mesh;
    GS_ASSERT(share.size() == static_cast<std::size_t>(mesh.total));
    tables_->passing.resize(mesh.neighbour.size(), Real(1));
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e)
            if (mesh.neighbour[e] >= 0)
                tables_->passing[e] = std::sqrt(share[cell] * share[mesh.neighbour[e]]);
            else if (tables_->inflow)  // the sea beyond has as much ice
                tables_->passing[e] = share[cell];
}

void Propagator::let_in(std::shared_ptr<const Inflow> inflow) {
    tables_->inflow = std::move(inflow);
}

double Propagator::frame_turn(std::int32_t cell, std::int32_t edge) const {
    return tables_->frame_turn(cell, static_cast<std::size_t>(edge));
}

int Propagator::bins() const {
    return tables_->grid.bins();
}

std::span<const std::int32_t> Propagator::turning_frames() const {
    return std::span(tables_->rotated_edge_cell).first(tables_->owned_with_rotated_edges);
}

std::span<const Real> Propagator::wave_number(std::int32_t cell) const {
    return {tables_->wave_numbers(cell), static_cast<std::size_t>(tables_->grid.frequencies)};
}

std::span<const Real> Propagator::group_speed(std::int32_t cell) const {
    return {tables_->group_speeds(cell), static_cast<std::size_t>(tables_->grid.frequencies)};
}

}  // namespace groundswell::sea
