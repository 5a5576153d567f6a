#include "groundswell/sea/propagation/propagator.hpp"

#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

namespace {

std::unique_ptr<PropagationKernel> make_kernel(const PropagationTables& tables) {
    const KernelSet& kernels = kernel_set();
    if (tables.options.scheme == PropagationScheme::upwind) return kernels.make_upwind(tables);
    return kernels.make_second_order(tables);
}

}  // namespace

Propagator::Propagator(const voronoi::LocalMesh& mesh, const SpectralGrid& grid,
                       const PropagationOptions& options)
    : tables_(std::make_unique<PropagationTables>(mesh, grid, options)), kernel_(make_kernel(*tables_)) {}
Propagator::~Propagator() = default;
Propagator::Propagator(Propagator&&) noexcept = default;
Propagator& Propagator::operator=(Propagator&&) noexcept = default;

void Propagator::propagate_cells(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old,
                                 double dt) {
    kernel_->propagate(begin, end, n_new, n_old, dt);
}

void Propagator::propagate_cells_plain(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old,
                                       double dt) {
    make_plain_kernel(*tables_)->propagate(begin, end, n_new, n_old, dt);
}

std::vector<halo::RowRange> Propagator::needed_directions() const {
    return tables_->needed_directions();
}

const StepLimit& Propagator::longest_step() const {
    return tables_->longest_step;
}

std::span<const std::int32_t> Propagator::turning_frames() const {
    return tables_->rotated_edge_cell;
}

std::span<const Real> Propagator::wave_number(std::int32_t cell) const {
    return {tables_->wave_numbers(cell), static_cast<std::size_t>(tables_->grid.frequencies)};
}

std::span<const Real> Propagator::group_speed(std::int32_t cell) const {
    return {tables_->group_speeds(cell), static_cast<std::size_t>(tables_->grid.frequencies)};
}

}  // namespace groundswell::sea
