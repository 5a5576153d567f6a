#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/device/fault/fault_on_device.hpp"
#include "groundswell/quake/device/probes/probes_on_device.hpp"
#include "groundswell/quake/device/sea_on_device.hpp"
#include "groundswell/quake/elements/connections.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/quake/kernel_set.hpp"
#include "groundswell/quake/layer/device/layer_on_device.hpp"
#include "groundswell/quake/layer/layer.hpp"
#include "groundswell/quake/plasticity/device/plasticity_on_device.hpp"
#include "groundswell/quake/plasticity/plasticity.hpp"
#include "groundswell/quake/source/point/acting.hpp"
#include "groundswell/quake/water/sea_surface.hpp"

namespace groundswell::quake {

/// The elements of a rank's part of the mesh, in clusters that step at rates of their own and tell each other, and those of
/// other ranks, what passes through their faces. In one tick the elements of cluster 0 step once, those of cluster c once in
/// rateᶜ ticks. The bits of an element depend on neither ranks nor threads.
template <class Real>
class Wavefield {
public:
    /// `mesh` has a group for each cluster, `material` is of all its cells, halo included; both are not kept, `attenuation` must outlive this. `rate` is 1
    /// (with one cluster), 2 or 3. Times go to `profile`, which outlives this, if there is one. `attenuation`: by as many
    /// mechanisms as the kernels have, if they have any. `fault`: what acts on the mesh's faults, which hold together without
    /// it. `gravity`: at sea surfaces, m s⁻². Collective.
    Wavefield(MPI_Comm comm, const Kernels<Real>& kernels, const tetra::LocalMesh& mesh,
              std::span<const Material> material, double step, int rate,
              const halo::ExchangeOptions& options = {}, parallel::Profile* profile = nullptr,
              const Attenuation* attenuation = nullptr, const FaultInput* fault = nullptr,
              double gravity = base::gravity);

    /// Owned cells, by their place in the mesh.
    Real& coefficient(std::int32_t cell, int function, int quantity) {
        return elements_.coefficient(connections_.element_of[cell], function, quantity);
    }
    Real coefficient(std::int32_t cell, int function, int quantity) const {
        return elements_.coefficient(connections_.element_of[cell], function, quantity);
    }
    /// All of a cell: coefficient i = function · quantities + quantity at value i · lanes().
    Real* state_of(std::int32_t cell) { return elements_.state_of(connections_.element_of[cell]); }
    const Real* state_of(std::int32_t cell) const {
        return elements_.state_of(connections_.element_of[cell]);
    }
    /// Memory variables of a cell, see Elements::memory_of: `remembered()` values.
    Real* memory_of(std::int32_t cell) { return elements_.memory_of(connections_.element_of[cell]); }
    const Real* memory_of(std::int32_t cell) const {
        return elements_.memory_of(connections_.element_of[cell]);
    }
    std::size_t remembered() const { return elements_.remembered(); }
    std::size_t lanes() const { return static_cast<std::size_t>(elements_.layout().lanes); }
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
    double time() const { return time_at(tick_); }  ///< s, of cluster 0
    double meeting_seconds() const { return step_ * static_cast<double>(ticks_to_meet_); }
    /// Stands at a meeting, so many after the start: whose coefficients the caller sets.
    void resume(std::int64_t meetings) { tick_ = meetings * ticks_to_meet_; }
    std::size_t bytes() const { return elements_.bytes(); }

    /// Lets elements step on a device, which must outlive this, from now on; what acts in them and who looks at whole ones stays here. The kernels
    /// must be wave_device_kernels(order, mechanisms).elements. A Refusal says what has no form for devices. `faults_too`: else the processor
    /// solves them, as it does where their friction has no form for devices. Collective.
    void move_to(exec::Device& device, bool faults_too = true);
    /// Makes all coefficients, and states of faults, what they are by now, where elements step on a device.
    void fetch_state() const;
    bool is_on_device() const { return on_device_.has_value(); }

    /// Lets a source act in an owned cell, at a place in its coordinates, from now on. Sources of one element must be added in
    /// one order on any ranks.
    void add_source(std::int32_t cell, const tetra::Point& reference, const PointSource& source);
    /// J, what each source of this rank has given the field since the start of the run.
    std::vector<double> work_of_sources() const { return sources_.work(); }
    /// Calls `probe` for the steps of an owned cell, for a place in its coordinates. Not for what is computed: it sees the
    /// same whether others are there or not.
    void add_probe(std::int32_t cell, const tetra::Point& reference, Probe probe);
    /// Calls `observer` for all owned cells.
    void add_observer(Observer observer) { samplers_.add(std::move(observer)); }
    std::int32_t cell_of(std::int32_t element) const { return connections_.cell_of[element]; }

    /// Makes rock plastic, before the first step. Collective.
    void make_plastic(MPI_Comm comm, const tetra::LocalMesh& mesh, std::span<const Material> material,
                      const PlasticityInput& input) {
        plastic_ = profile_.add_phase("plasticity", parallel::PhaseKind::computing);
        plasticity_.emplace(comm, elements_, mesh, material, connections_.element_of, input,
                            kernel_set().in<Real>().relax);
    }
    /// Lets waves fade beside the absorbing boundary, before the first step. Collective.
    void add_layer(MPI_Comm comm, const tetra::LocalMesh& mesh, std::span<const Material> material,
                   const LayerOptions& options) {
        layer_.emplace(comm, elements_, mesh, material, connections_.element_of, options, fault_.has_value());
    }
    /// Plastic strain and work of an owned cell; only where rock is plastic.
    double& plastic_strain(std::int32_t cell) { return plasticity_->strain(connections_.element_of[cell]); }
    double& plastic_work(std::int32_t cell) { return plasticity_->work(connections_.element_of[cell]); }
    double plastic_work(std::int32_t cell) const { return plasticity_->work(connections_.element_of[cell]); }
    /// J m⁻³ of an owned cell, since it was made plastic or resumed: see Plasticity::given_back.
    double given_back(std::int32_t cell) const {
        return plasticity_->given_back(connections_.element_of[cell]);
    }
    bool is_plastic() const { return plasticity_.has_value(); }
    double volume_of(std::int32_t cell) const { return volume_[cell]; }

    /// Null where no fault can break.
    Fault* fault() { return fault_ ? &*fault_ : nullptr; }
    const Fault* fault() const { return fault_ ? &*fault_ : nullptr; }

    /// The sea's surface; of no face where there is none.
    SeaSurface& sea() { return sea_; }
    const SeaSurface& sea() const { return sea_; }

    /// Traffic between ranks, of all exchanges together; none where no rank needs anything. Collective.
    std::optional<halo::ExchangeReport> exchange_report() const;

    /// Seconds that this rank needed: for ticks as a whole, and within them for elements that keep no pieces for others, as if
    /// there were one step for all.
    struct Effort {
        double ticks = 0.0, plain_predictions = 0.0, corrections = 0.0;  ///< s
        std::int64_t plainly_predicted = 0, corrected = 0;               ///< elements
        /// Time of one update of an element that keeps no pieces, s.
        double plain_update() const {
            if (plainly_predicted == 0 || corrected == 0) return 0.0;
            return plain_predictions / static_cast<double>(plainly_predicted) +
                   corrections / static_cast<double>(corrected);
        }
    };
    const Effort& effort() const { return effort_; }

    /// Seconds of the profile that a kernel had, and elements (of `rupture`: not counted) that it stepped.
    struct Spent {
        double seconds = 0.0;
        std::int64_t updates = 0;
    };
    struct SpentInCluster {
        Spent local, neighbour, plastic, rupture;
    };
    const std::vector<SpentInCluster>& spent() const { return spent_; }

    /// Elements, for programs that time kernels alone. Blocks of elements: see Block.
    Elements<Real>& elements() { return elements_; }
    const Elements<Real>& elements() const { return elements_; }

private:
    static constexpr int no_exchange = -1;
    struct Cluster {
        std::int64_t ticks = 1;
        std::vector<SideSum> sums[2];  // of the interior, and of the rim
        int whole = no_exchange, pieces = no_exchange, sums_out = no_exchange, fault = no_exchange;
    };

    void set_elements(const tetra::LocalMesh& mesh, std::span<const Material> material,
                      const Attenuation* attenuation);
    void make_exchanges();
    void start(int exchange);
    void predict(int cluster, bool at_rim);
    void add_up(int cluster, bool at_rim);
    void start_exchanges(int cluster);
    void correct(int cluster, bool at_rim);
    void wait_for(BatchRange batches);
    template <class Work>
    void compute(BatchRange batches, const Work& work);
    // work(elements), where they step.
    template <class Work>
    void there_or_here(const Work& work) {
        on_device_ ? work(*on_device_) : work(elements_);
    }
    /// work(), in a phase whose time is one kernel's of one cluster.
    template <class Work>
    void spend(parallel::Phase phase, Spent& spent, const Work& work) {
        const double before = profile_.seconds(phase);
        {
            const parallel::PhaseTimer timer(profile_, phase);
            work();
        }
        spent.seconds += profile_.seconds(phase) - before;
    }
    int block_of(std::int32_t cell) const;
    /// Start of the step that a cluster is in, s.
    double begin(int cluster) const {
        return time_at(tick_ / clusters_[cluster].ticks * clusters_[cluster].ticks);
    }
    double end(int cluster) const {
        return time_at((tick_ / clusters_[cluster].ticks + 1) * clusters_[cluster].ticks);
    }
    double length(int cluster) const { return step_ * static_cast<double>(clusters_[cluster].ticks); }
    int piece(int cluster) const { return static_cast<int>(tick_ / clusters_[cluster].ticks % rate_); }
    /// Counted from the last meeting, so that a run that goes on at a meeting has the same times.
    double time_at(std::int64_t tick) const {
        return static_cast<double>(tick / ticks_to_meet_) * meeting_seconds() +
               static_cast<double>(tick % ticks_to_meet_) * step_;
    }

    const MPI_Comm comm_;
    const halo::ExchangeOptions options_;
    std::vector<mesh::CellGroup> groups_;
    const Attenuation* attenuation_;
    std::vector<Material> material_;  // [owned cell]
    std::vector<double> volume_;      // [owned cell]
    Connections connections_;
    Elements<Real> elements_;
    ActingSources<Real> sources_;
    Samplers<Real> samplers_;
    SeaSurface sea_;
    std::optional<Fault> fault_;
    std::optional<Plasticity<Real>> plasticity_;
    std::optional<AbsorbingLayer<Real>> layer_;
    std::optional<ElementsOnDevice<Real>> on_device_;
    std::optional<FaultOnDevice<Real>> fault_on_device_;
    std::optional<PlasticityOnDevice<Real>> plasticity_on_device_;
    std::optional<LayerOnDevice<Real>> layer_on_device_;
    std::optional<SeaOnDevice<Real>> sea_on_device_;
    std::optional<ProbesOnDevice<Real>> probes_on_device_;
    std::deque<exec::DeviceArray<SideSum>> sums_on_device_;  // [cluster][at rim]
    std::vector<Cluster> clusters_;
    std::optional<parallel::Profile> own_profile_;
    parallel::Profile& profile_;
    parallel::Phase local_, neighbour_, sampling_, rupture_{}, plastic_{};
    std::optional<halo::Exchanges> exchanges_;
    std::vector<void*> exchanged_;  // [exchange]
    std::vector<int> under_way_;
    double step_;
    int rate_;
    std::int64_t tick_ = 0, ticks_to_meet_ = 1;
    Effort effort_;
    std::vector<SpentInCluster> spent_;  // [cluster]
};

}  // namespace groundswell::quake
