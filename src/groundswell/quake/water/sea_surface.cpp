#include "groundswell/quake/water/sea_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/matrices.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

SeaSurface::SeaSurface(const tetra::LocalMesh& mesh, std::span<const Material> material,
                       const Connections& connections, int order, double gravity)
    : order_(order),
      basis_(static_cast<std::size_t>(face_basis_size(order))),
      mass_(triangle_mass(order)),
      face_of_(static_cast<std::size_t>(mesh.owned), -1),
      batches_(blocks_of_cluster * mesh.groups.size()) {
    for (int f = 0; f < 4; ++f) {
        const Matrix matrix = trace(order, f);
        for (int row = 0; row < matrix.rows; ++row)
            for (int column = 0; column < matrix.columns; ++column)
                if (matrix(row, column) != 0.0) trace_[f].push_back({row, column, matrix(row, column)});
    }
    const BatchPlaces& places = connections.places;
    for (std::size_t block = 0; block < batches_.size(); ++block) {
        for (std::int32_t batch = places.batch_begin(static_cast<int>(block));
             batch < places.batch_end(static_cast<int>(block)); ++batch) {
            BatchOfFaces here{batch, {}};
            for (std::int32_t e = places.element_begin(batch); e < places.element_begin(batch + 1); ++e) {
                const std::int32_t cell = connections.cell_of[e];
                const auto& boundary = mesh.cell[cell].boundary;
                const auto at = std::ranges::find(boundary, tetra::Boundary::sea);
                if (at == boundary.end()) continue;
                const int f = static_cast<int>(at - boundary.begin());
                const tetra::Geometry shape = tetra::geometry_of(mesh.cell[cell].place);
                face_of_[cell] = static_cast<std::int32_t>(faces_.size());
                here.faces.push_back(face_of_[cell]);
                faces_.push_back({e, places.side(e, f), connections.beyond[e][f], f,
                                  material[cell].density * gravity, 1.0 / material[cell].zp(), shape.area[f],
                                  shape.normal[f]});
            }
            if (!here.faces.empty()) batches_[block].push_back(std::move(here));
        }
    }
    eta_.assign(faces_.size() * basis_, 0.0);
    impulse_ = eta_;
    series_.assign(faces_.size() * basis_ * static_cast<std::size_t>(order + 1), 0.0);
}

template <class Real>
void SeaSurface::foresee(Elements<Real>& elements, int block, double from_time, double seconds) {
    const auto& batches = batches_[block];
    if (batches.empty()) return;
    if (elsewhere_ != nullptr) {
        for (const BatchOfFaces& batch : batches)
            for (const std::int32_t f : batch.faces) faces_[f].from = from_time;
        return elsewhere_->foresee(block, seconds);
    }
    const auto lanes = static_cast<std::size_t>(elements.layout().lanes);
    auto room = elements.room_for_derivatives();
    exec::for_each_cell(0, static_cast<std::int32_t>(batches.size()), [&](std::int32_t b) {
        Real* const derivatives = room[exec::thread_index()].data();
        elements.differentiate_batch(batches[b].batch, derivatives);
        for (const std::int32_t f : batches[b].faces) {
            Face& face = faces_[f];
            face.from = from_time;
            double* now = series_.data() + first(f) * static_cast<std::size_t>(order_ + 1);
            double* const integral = impulse_.data() + first(f);
            std::copy_n(eta_.data() + first(f), basis_, now);
            const Real* from = derivatives + elements.places().lane(face.element);
            double factor = seconds;
            for (std::size_t m = 0; m < basis_; ++m) integral[m] = factor * now[m];
            for (int k = 0; k < order_; ++k, now += basis_) {
                double* const next = now + basis_;
                for (std::size_t m = 0; m < basis_; ++m) next[m] = -face.weight * face.per_z * now[m];
                const int functions = basis_size(order_ - k);
                for (const TraceEntry& entry : trace_[face.face]) {
                    if (entry.column >= functions) continue;
                    const auto value = [&](int q) {
                        return static_cast<double>(
                            from[static_cast<std::size_t>(entry.column * Elastic::quantities + q) * lanes]);
                    };
                    double speed = -face.per_z * value(Elastic::xx);
                    for (int i = 0; i < 3; ++i) speed += face.normal[i] * value(Elastic::vx + i);
                    next[entry.row] += entry.value * speed;
                }
                factor *= seconds / (k + 2);
                for (std::size_t m = 0; m < basis_; ++m) integral[m] += factor * next[m];
                from += static_cast<std::size_t>(functions * Elastic::quantities) * lanes;
            }
        }
    });
}

template <class Real>
void SeaSurface::step(Elements<Real>& elements, int block, double seconds) {
    const auto& batches = batches_[block];
    if (elsewhere_ != nullptr) return elsewhere_->step(block, seconds);
    exec::for_each_cell(0, static_cast<std::int32_t>(batches.size()), [&](std::int32_t b) {
        for (const std::int32_t f : batches[b].faces) {
            const Face& face = faces_[f];
            const Real* const own = elements.values(face.own);
            Real* const beyond = elements.values(face.beyond);
            for (std::size_t m = 0; m < basis_; ++m) {
                const double pressure = 2.0 * face.weight * impulse_[first(f) + m];
                beyond[2 * m] = -(own[2 * m] + static_cast<Real>(pressure));
                beyond[2 * m + 1] = -own[2 * m + 1];
                eta_[first(f) + m] = after(f, seconds, m);
            }
        }
    });
}

SeaParts SeaSurface::parts(const BatchPlaces& places) {
    SeaParts all{order_, static_cast<int>(basis_), {}, {}, {}, eta_, series_};
    for (const Face& face : faces_)
        all.faces.push_back({places.batch(face.element), places.lane(face.element), face.face, face.own,
                             face.beyond, face.weight, face.per_z, face.normal});
    std::int32_t first = 0;
    for (const auto& batches : batches_) {
        std::int32_t end = first;
        for (const BatchOfFaces& batch : batches) end += static_cast<std::int32_t>(batch.faces.size());
        all.of_block.emplace_back(first, end);
        first = end;
    }
    std::ranges::copy(trace_, all.trace.begin());
    return all;
}

std::vector<double> SeaSurface::series(std::int32_t face, std::span<const double> basis) const {
    std::vector<double> all;
    for (int k = 0; k <= order_; ++k) {
        double sum = 0.0;
        for (std::size_t m = 0; m < basis_; ++m) sum += basis[m] * derivative(face, k)[m];
        all.push_back(sum);
    }
    return all;
}

double SeaSurface::energy_of(std::int32_t face, std::span<const double> eta) const {
    double sum = 0.0;
    for (std::size_t m = 0; m < basis_; ++m) sum += mass_[m] * eta[m] * eta[m];
    return faces_[face].weight * faces_[face].area * sum;
}

double SeaSurface::energy(std::int32_t face) const {
    return energy_of(face, eta(face));
}

double SeaSurface::energy(std::int32_t face, double time) const {
    const double seconds = time - faces_[face].from;
    std::vector<double> there(basis_);
    for (std::size_t m = 0; m < basis_; ++m) there[m] = after(face, seconds, m);
    return energy_of(face, there);
}

double SeaSurface::after(std::int32_t face, double seconds, std::size_t function) const {
    double factor = 1.0, sum = 0.0;
    for (int k = 0; k <= order_; ++k) {
        sum += factor * derivative(face, k)[function];
        factor *= seconds / (k + 1);
    }
    return sum;
}

template void SeaSurface::foresee(Elements<float>&, int, double, double);
template void SeaSurface::foresee(Elements<double>&, int, double, double);
template void SeaSurface::step(Elements<float>&, int, double);
template void SeaSurface::step(Elements<double>&, int, double);

bool require_level_sea(MPI_Comm comm, const std::string& mesh, const tetra::Slab& slab,
                       std::span<const Material> material) {
    constexpr double level = 1e-3;  // m, all of it
    double low = std::numeric_limits<double>::max(), high = -low;
    const tetra::Tetrahedron* dry = nullptr;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        for (int f = 0; f < 4; ++f) {
            if (slab.cell[c].boundary[f] != tetra::Boundary::sea) continue;
            if (!material[c].is_liquid()) dry = &slab.cell[c];
            for (const int corner : tetra::face_corners[f]) {
                low = std::min(low, slab.cell[c].place[corner][2]);
                high = std::max(high, slab.cell[c].place[corner][2]);
            }
        }
    }
    low = parallel::min(comm, low);
    high = parallel::max(comm, high);
    parallel::agree(comm, [&] {
        base::require(high - low <= level, mesh, "sea surface (tag 2)",
                      fmt::format("z from {:.6g} to {:.6g} m", low, high),
                      "one height: the surface of water at rest under gravity is level");
        if (dry == nullptr) return;
        const tetra::Point centre = tetra::centre_of(*dry);
        base::refuse(
            mesh, "sea surface (tag 2)",
            fmt::format("above rock, about {:.6g}, {:.6g}, {:.6g} m", centre[0], centre[1], centre[2]),
            "water below it, whose vs is 0");
    });
    return low <= high;
}

}  // namespace groundswell::quake
