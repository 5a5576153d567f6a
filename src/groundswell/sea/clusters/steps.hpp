#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/layout.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/sea/clusters/images.hpp"
#include "groundswell/sea/clusters/work.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// Layout of fields: owned cells, halo cells, then images. `plan`: of the mesh without images.
halo::Layout layout_of(const halo::Plan& plan, const ClusteredMesh& mesh);

/// The longest time (s) from one meeting of all clusters to the next with which no cell steps longer than it can; `longest_step`
/// of each owned cell, s. Collective.
double longest_meeting(MPI_Comm comm, const voronoi::LocalMesh& mesh, std::span<const double> longest_step);

/// Propagation where clusters of cells step at rates of their own: in one tick the cells of cluster 0 step once, those of
/// cluster c once in 2ᶜ ticks, with the kernels of a Propagator as they are. A cell reads cells of other clusters by their
/// images:
///
/// - To a slower cell, which takes its step when its faster neighbours have taken both of theirs, a neighbour is the mean of
///   what it was at the beginning of the two: what came in over the edge in two steps is then what leaves the neighbour.
/// - To a faster cell a slower neighbour stays as it was at the beginning of its own long step, in both short ones: what leaves
///   it is what it gives away by its own count.
///
/// First order that is said of N; second order of the values at faces (M at half of the neighbour's own step, and its gradient),
/// while the gradients of the reading cell are made from M at the beginning of its step, of a slower neighbour in the middle of
/// its own step from M at half time. So action is conserved to rounding, and as each cell gives away what it has at the
/// beginning of its own step, nothing becomes negative.
///
/// The result does not depend on ranks and threads, to the bit.
class ClusterSteps {
public:
    /// Both fields hold [mesh.total] cells and have the state at meetings in `first`. All must outlive this. `on_device`: compute_by() is called
    /// before the first step. Collective.
    ClusterSteps(MPI_Comm comm, const ClusteredMesh& mesh, Propagator& propagator, PropagationScheme scheme,
                 halo::Field<Real>& first, halo::Field<Real>& second, const halo::ExchangeOptions& options,
                 parallel::Profile& profile, parallel::Phase phase, bool on_device = false);

    /// State and profiles in the memory of a device, as those of the host.
    struct OnDevice {
        halo::FieldsOnDevice where;
        std::array<Real*, 2> state;
        Real* profiles;
    };
    /// From now on a device computes, whose work lives longer. Collective.
    void compute_by(ClusterWork& work, const OnDevice& device);
    std::int32_t first_image() const { return mesh_.first_image; }
    /// [images][half, x, y][stride] of the host, and the image of each owned cell in the next slower cluster, or -1; second order.
    Real* profiles() { return profiles_.data(); }
    std::span<const std::int32_t> image_in_slower() const { return image_in_slower_; }

    /// From one meeting of all clusters to the next. `after_tick` is called after every tick, and may set the state of owned
    /// cells by block(). Collective.
    void advance(double seconds, const std::function<void()>& after_tick);

    /// The state of an owned cell after its last step.
    Real* block(std::int32_t cell_index) { return cell(copy_of(cell_index), cell_index); }
    int copy_of(std::int32_t cell) const;
    std::int64_t ticks_to_meet() const { return clusters_.back().ticks; }
    /// Updates of this rank's cells from one meeting to the next.
    double updates() const;
    const halo::Exchanges& exchanges() const { return *exchanges_; }
    std::int64_t bytes() const { return static_cast<std::int64_t>(profiles_.size() * sizeof(Real)); }

private:
    struct Cluster {
        mesh::CellGroup cells;
        std::int64_t ticks = 1;  // of a step
        int old = 0;             // copy of the state before its step
    };

    static std::vector<Cluster> clusters_of(const voronoi::LocalMesh& mesh);
    void make_exchanges();
    void tick(std::int64_t tick, double seconds);
    void set_images(const ClusterBorder& border, std::int64_t tick, std::int32_t begin, std::int32_t end);
    void set_borders(std::int64_t tick, double seconds, bool halo);
    void start_profiles(std::size_t border);
    void finish_profiles(std::size_t border);
    void propagate(int cluster, bool rim, std::int64_t tick, double seconds);
    bool begins(int cluster, std::int64_t tick) const { return tick % clusters_[cluster].ticks == 0; }
    bool ends(int cluster, std::int64_t tick) const { return begins(cluster, tick + 1); }
    Real* cell(int copy, std::int32_t cell) const {
        return state_[copy] + static_cast<std::size_t>(cell) * stride_;
    }
    // What is exchanged.
    Real* exchanged_state(int cluster) const {
        const Cluster& of = clusters_[cluster];
        return exchanged_state_[of.old] + static_cast<std::size_t>(of.cells.owned().begin) * stride_;
    }
    Real* exchanged_profile(std::int32_t image) const {
        return exchanged_profiles_ + static_cast<std::size_t>(image - mesh_.first_image) * 3 * stride_;
    }

    const MPI_Comm comm_;
    const ClusteredMesh& mesh_;
    Propagator& propagator_;
    bool second_order_;
    std::size_t stride_;
    Real* const state_[2];  // of the host
    std::vector<Cluster> clusters_;
    exec::Array<Real> profiles_;  // [image][half, x, y][stride]; second order
    // [owned] the image of a cell in the next slower cluster, or -1; second order.
    std::vector<std::int32_t> image_in_slower_;
    std::unique_ptr<ClusterWork> on_processors_;
    ClusterWork* work_ = nullptr;
    const halo::ExchangeOptions options_;
    parallel::Profile& profile_;
    parallel::Phase phase_;
    std::array<Real*, 2> exchanged_state_;
    Real* exchanged_profiles_;
    std::optional<halo::FieldsOnDevice> device_;
    // One for the state of each cluster, and in second order one for the profiles of each border.
    std::optional<halo::Exchanges> exchanges_;
};

}  // namespace groundswell::sea
