#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/halo/registry.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/connections.hpp"
#include "groundswell/quake/elements.hpp"
#include "groundswell/quake/source/point_source.hpp"

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

    /// Lets a source act in an owned cell, at a place in its coordinates, from now on. Sources of one element must be added in
    /// one order on any ranks.
    void add_source(std::int32_t cell, const tetra::Point& reference, const PointSource& source);

    /// What a probe sees: the derivatives in time of the unknowns at its place, [order][quantity], at time `from`; the
    /// unknowns until `to` are the Taylor series of them.
    struct Glimpse {
        double from = 0.0, to = 0.0;
        std::span<const double> derivatives;
        int quantities = 9;

        /// The quantity `seconds` after `from`.
        double value(int quantity, double seconds) const;
    };
    using Probe = std::function<void(const Glimpse&)>;
    /// Calls `probe` for every step of an owned cell, for a place in its coordinates. Not for what is computed: it sees the
    /// same whether others are there or not.
    void add_probe(std::int32_t cell, const tetra::Point& reference, Probe probe);

    /// For who times kernels alone. Blocks of elements: see Block.
    Elements<Real>& elements() { return elements_; }

private:
    struct Sum {
        std::int32_t side, total;
    };
    struct Source {
        std::int32_t element;
        std::vector<std::vector<double>>
            derivatives;  // of what an impulse of it leaves: [k][basis][quantity]
        std::shared_ptr<const TimeFunction> rate;
    };
    struct Place {
        std::int32_t element;
        std::vector<double> basis;
        Probe probe;
    };
    void add_sources(int cluster, bool at_rim);
    struct Exchange {
        std::unique_ptr<halo::Transport> transport;  // null where no rank needs anything
        Real* base = nullptr;
    };
    struct Cluster {
        std::int64_t ticks = 1;
        // Of the interior, and of the rim.
        std::vector<Sum> sums[2];
        std::vector<Source> sources[2];
        std::vector<Place> probes[2];  // by batch
        Exchange whole, pieces, sums_out;
    };

    void set_elements(const tetra::LocalMesh& mesh, std::span<const Material> material);
    Exchange make_exchange(MPI_Comm comm, const Passage& passage, std::int64_t& unused,
                           const std::string& transport);
    void start(Exchange& exchange);
    void predict(int cluster, bool at_rim);
    void start_exchanges(int cluster);
    void correct(int cluster, bool at_rim);
    void show(int cluster, bool at_rim);
    Cluster& cluster_of(std::int32_t cell, bool& at_rim);
    double begin(int cluster) const;  // s, of the step that it is in
    double length(int cluster) const { return step_ * static_cast<double>(clusters_[cluster].ticks); }
    void finish_exchanges();
    int piece(int cluster) const { return static_cast<int>(tick_ / clusters_[cluster].ticks % rate_); }

    std::vector<mesh::CellGroup> groups_;
    std::vector<double> density_, volume_;  // [owned cell]
    Connections connections_;
    Elements<Real> elements_;
    std::vector<Cluster> clusters_;
    std::vector<halo::Transport*> under_way_;
    double step_;
    int rate_;
    std::int64_t tick_ = 0, ticks_to_meet_ = 1;
};

}  // namespace groundswell::quake
