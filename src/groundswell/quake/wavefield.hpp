#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/halo/registry.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/connections.hpp"
#include "groundswell/quake/elements.hpp"

namespace groundswell::quake {

/// The elements of a rank's part of the mesh, in clusters that step at rates of their own and tell each other, and those of
/// other ranks, what passes through their faces. In one tick the elements of cluster 0 step once, those of cluster c once in
/// rateᶜ ticks. The bits of an element depend on neither ranks nor threads.
template <class Real>
class Wavefield {
public:
    /// `mesh` has a group for each cluster, `material` is of all its cells, halo included; both are not kept. `rate` is 1
    /// (with one cluster), 2 or 3. Collective.
    Wavefield(MPI_Comm comm, const Kernels<Real>& kernels, const tetra::LocalMesh& mesh,
              std::span<const Material> material, double step, int rate,
              const std::string& transport = "posted");

    /// Owned cells, by their place in the mesh.
    Real& coefficient(std::int32_t cell, int function, int quantity) {
        return elements_.coefficient(connections_.element_of[cell], function, quantity);
    }
    Real coefficient(std::int32_t cell, int function, int quantity) const {
        return elements_.coefficient(connections_.element_of[cell], function, quantity);
    }
    std::int32_t cells() const { return static_cast<std::int32_t>(connections_.element_of.size()); }

    double step() const { return step_; }  ///< of cluster 0, s
    /// Ticks from one time that all clusters meet at to the next: rate to the power of clusters - 1.
    std::int64_t ticks_to_meet() const { return ticks_to_meet_; }
    /// One tick. Collective.
    void tick();
    /// To the next time at which all clusters meet. Collective.
    void advance() {
        do {
            tick();
        } while (tick_ % ticks_to_meet_ != 0);
    }
    double time() const { return static_cast<double>(tick_) * step_; }  ///< s, of cluster 0
    std::size_t bytes() const { return elements_.bytes(); }

    /// For who times kernels alone. Blocks of elements: see Block.
    Elements<Real>& elements() { return elements_; }

private:
    struct Sum {
        std::int32_t side, total;
    };
    struct Exchange {
        std::unique_ptr<halo::Transport> transport;  // null where no rank needs anything
        Real* base = nullptr;
    };
    struct Cluster {
        std::int64_t ticks = 1;
        std::vector<Sum> sums[2];  // interior, rim
        Exchange whole, pieces, sums_out;
    };

    void set_elements(const tetra::LocalMesh& mesh, std::span<const Material> material);
    Exchange make_exchange(MPI_Comm comm, const Passage& passage, std::int64_t& unused,
                           const std::string& transport);
    void start(Exchange& exchange);
    void predict(int cluster, bool at_rim);
    void start_exchanges(int cluster);
    void correct(int cluster, bool at_rim);
    void finish_exchanges();
    int piece(int cluster) const { return static_cast<int>(tick_ / clusters_[cluster].ticks % rate_); }

    Connections connections_;
    Elements<Real> elements_;
    std::vector<Cluster> clusters_;
    std::vector<halo::Transport*> under_way_;
    double step_;
    int rate_;
    std::int64_t tick_ = 0, ticks_to_meet_ = 1;
};

}  // namespace groundswell::quake
