#include "groundswell/quake/plasticity/plasticity.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

constexpr std::size_t numbers = sizeof(YieldingRock<double>) / sizeof(double);
// Cohesion of what never yields, Pa: its square is no number in float, and above that of any stress.
constexpr double never = 1e30;
// How far places keep from the faces of an element, in units of their distance from each other: so few of them coincide with
// those of neighbours that the matrix of all functions at all places stays well conditioned.
constexpr double margin = 0.3;

// Inverse of a square matrix, by elimination with row pivots.
std::vector<double> inverse_of(std::vector<double> a, std::size_t n) {
    std::vector<double> b(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) b[i * n + i] = 1.0;
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < n; ++row) {
            if (std::abs(a[row * n + column]) > std::abs(a[pivot * n + column])) pivot = row;
        }
        GS_ASSERT(a[pivot * n + column] != 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            std::swap(a[pivot * n + j], a[column * n + j]);
            std::swap(b[pivot * n + j], b[column * n + j]);
        }
        const double per = 1.0 / a[column * n + column];
        for (std::size_t j = 0; j < n; ++j) {
            a[column * n + j] *= per;
            b[column * n + j] *= per;
        }
        for (std::size_t row = 0; row < n; ++row) {
            const double times = a[row * n + column];
            if (row == column || times == 0.0) continue;
            for (std::size_t j = 0; j < n; ++j) {
                a[row * n + j] -= times * a[column * n + j];
                b[row * n + j] -= times * b[column * n + j];
            }
        }
    }
    return b;
}

}  // namespace

template <class Real>
Plasticity<Real>::Places::Places(int order) {
    const int degree = order - 1;
    for (int k = 0; k <= degree; ++k) {
        for (int j = 0; j <= degree - k; ++j) {
            for (int i = 0; i <= degree - k - j; ++i) {
                const auto along = [&](int steps) { return (steps + margin) / (degree + 4.0 * margin); };
                at.push_back({along(i), along(j), along(k)});
            }
        }
    }
    for (const Point3& place : at) {
        for (const auto& phi : tetrahedron_basis(order, place)) value.push_back(phi.value);
    }
    function = inverse_of(value, at.size());
}

template <class Real>
Plasticity<Real>::Plasticity(MPI_Comm comm, const Elements<Real>& elements, const tetra::LocalMesh& mesh,
                             std::span<const Material> material, std::span<const std::int32_t> element_of,
                             const PlasticityInput& input, bool (*kernel)(const PlasticBatch<Real>& batch))
    : batches_(elements.places()),
      lanes_(elements.layout().lanes),
      relaxation_time_(input.relaxation_time),
      relax_(kernel),
      places_(elements.layout().order),
      value_(places_.value.begin(), places_.value.end()),
      function_(places_.function.begin(), places_.function.end()),
      mu_(static_cast<std::size_t>(batches_.batches()) * lanes_, 1.0),
      strain_(mu_.size()),
      work_(mu_.size()),
      initial_tau_(elements.size()) {
    const BatchPlaces& places = elements.places();
    const auto lanes = static_cast<std::size_t>(elements.layout().lanes), nodes = places_.at.size();
    rock_ = exec::make_cell_array<Real>(places.batches(), nodes * numbers * lanes);
    std::int64_t beyond = 0;
    // One rank's part of a grid may have a hole.
    parallel::agree(comm, [&] {
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
            const std::int32_t e = element_of[cell];
            const bool is_liquid = material[cell].is_liquid();
            double& mu = mu_[place(e)];
            if (!is_liquid) mu = material[cell].mu;
            Real* to = rock_.data() + static_cast<std::size_t>(places.batch(e)) * nodes * numbers * lanes +
                       places.lane(e);
            for (const Point3& at : places_.at) {
                const YieldingRock<double> rock =
                    is_liquid ? YieldingRock<double>{{}, never, 0.0}
                              : input.at(input.by_element ? tetra::centre_of(mesh.cell[cell])
                                                          : tetra::place_in(mesh.cell[cell].place, at),
                                         mu);
                const double nothing[6] = {};
                double added[6], tau = 0.0;
                beyond += yield(rock, nothing, 1.0, added, tau) < 0.0 ? 1 : 0;
                initial_tau_[e] = std::max(initial_tau_[e], tau);
                const auto* from = reinterpret_cast<const double*>(&rock);
                for (std::size_t i = 0; i < numbers; ++i, to += lanes) *to = static_cast<Real>(from[i]);
            }
        }
    });
    const std::int64_t all =
        parallel::sum(comm, static_cast<std::int64_t>(mesh.owned) * static_cast<std::int64_t>(nodes));
    beyond = parallel::sum(comm, beyond);
    parallel::agree(comm, [&] {
        base::require(beyond < all, input.stated_at, "plasticity.stress", "above the strength everywhere",
                      "initial stress that rock bears at least somewhere");
    });
    if (beyond > 0 && parallel::rank_of(comm) == 0)
        base::log_warning("plasticity: {:.3g} % of the rock yields under the initial stress alone",
                          100.0 * static_cast<double>(beyond) / static_cast<double>(all));
}

template <class Real>
void Plasticity<Real>::relax(Elements<Real>& elements, BatchRange batches, double seconds) {
    const BatchPlaces& places = elements.places();
    const int nodes = static_cast<int>(places_.at.size());
    const auto lanes = static_cast<std::size_t>(elements.layout().lanes);
    const Real share = parts().share(seconds);
    exec::for_each_cell(batches.begin, batches.end, [&](std::int32_t b) {
        if (elements.is_water(b)) return;
        const std::int32_t first = places.element_begin(b);
        double strain[most_plastic_lanes], work[most_plastic_lanes];
        const Real* const rock = rock_.data() + static_cast<std::size_t>(b) * nodes * numbers * lanes;
        if (!relax_({nodes, share, rock, value_.data(), function_.data(), elements.state_of(first), strain,
                     work}))
            return;
        for (std::int32_t e = first; e < places.element_begin(b + 1); ++e) {
            const int lane = places.lane(e);
            const std::size_t at = place(e);
            strain_[at] += strain[lane] / (2.0 * mu_[at] * nodes);
            work_[at] += work[lane] / (mu_[at] * nodes);
        }
    });
}

template class Plasticity<float>;
template class Plasticity<double>;

}  // namespace groundswell::quake
