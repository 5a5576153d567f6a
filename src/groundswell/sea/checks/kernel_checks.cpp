#include "groundswell/sea/checks/kernel_checks.hpp"

#include <algorithm>
#include <limits>

#include "groundswell/sea/checks/source_checks.hpp"

namespace groundswell::sea {

namespace {

// Roundings of a sum of some ten products.
constexpr double of_sums = 40.0 * std::numeric_limits<Real>::epsilon();

exec::KernelCheck check_propagation(Model& model, double seconds) {
    exec::KernelCheck check{"propagation", of_sums};
    const std::int32_t owned = model.mesh().owned, runs = 12, length = 8;
    const SpectralGrid& grid = model.grid();
    Real* const next = model.next_action();
    model.propagator().propagate_cells(0, owned, next, model.action(), seconds);
    for (std::int32_t run = 0; run < runs; ++run) {
        const auto begin = static_cast<std::int32_t>(static_cast<std::int64_t>(owned) * run / runs);
        const std::int32_t end = std::min(begin + length, owned);
        const auto stride = static_cast<std::ptrdiff_t>(grid.stride());
        const std::vector<Real> fast(next + begin * stride, next + end * stride);
        model.propagator().propagate_cells_plain(begin, end, next, model.action(), seconds);
        for (std::int32_t cell = begin; cell < end; ++cell) {
            const Real* const plain = next + cell * stride;
            for (int bin = 0; bin < grid.bins(); ++bin)
                check.compare(plain[bin], fast[(cell - begin) * stride + bin]);
            ++check.cells;
        }
    }
    return check;
}

}  // namespace

std::vector<exec::KernelCheck> check_kernels(Model& model, const Case& run, double step_seconds,
                                             double source_step_seconds) {
    std::vector<exec::KernelCheck> checks;
    if (run.propagates) checks.push_back(check_propagation(model, step_seconds));
    if (model.package() != nullptr) {
        std::vector<exec::KernelCheck> terms = source_checks(*model.package());
        const std::int32_t owned = model.mesh().owned, count = std::min(16, owned);
        for (std::int32_t n = 0; n < count; ++n) {
            const auto cell = static_cast<std::int32_t>(static_cast<std::int64_t>(owned) * n / count);
            check_source_terms(*model.package(), run.physics,
                               model.action() + static_cast<std::size_t>(cell) * model.grid().stride(),
                               model.conditions(cell), source_step_seconds, model.source_states()[cell],
                               model.workspace(0), terms);
        }
        checks.insert(checks.end(), terms.begin(), terms.end());
    }
    return checks;
}

}  // namespace groundswell::sea
