#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "groundswell/halo/exchange.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/propagation/on_device.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/source/ocean_exchange.hpp"
#include "groundswell/sea/spectrum/device/on_device.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

struct ClusteredMesh;
class ClusterSteps;
class ClustersOnDevice;
class FeltWindOnDevice;
class Forcing;
class IceDampingOnDevice;
class SourcePackage;
struct DeviceCells;

/// The state of a rank's sea in the memory of a device, and its steps there. The host has a copy of the state, which is older most of
/// the time. All arrays of the host are [cell] or [cell][stride], and stay where they are.
class ModelOnDevice {
public:
    /// All but the device live longer. `package`: null where there are no source terms. Throws a Refusal where something has no form for
    /// devices, or the device too little memory.
    ModelOnDevice(std::unique_ptr<exec::Device> device, const voronoi::LocalMesh& mesh,
                  const SpectralGrid& grid, const Propagator& propagator, const SourcePackage* package);
    ~ModelOnDevice();

    /// The state as the host has it, whose memory stays where it is.
    struct Host {
        Real* action;                   ///< [total][stride]
        std::span<SourceState> states;  ///< [owned]
    };
    /// The host's state has been changed, and is the one that counts.
    void host_is_newer() { newer_ = Newer::host; }
    /// Makes the host's state that of now. No more than a question where it is already.
    void bring_back(const Host& host);
    /// The same of some cells alone, and of what source terms remember of them.
    void bring_back(const Host& host, std::span<const std::int32_t> cells);
    /// The same of all that source terms remember.
    void bring_back_states(const Host& host);
    /// Sums over the spectra of owned cells as they are now, [owned]: see SumsOnDevice. Valid until the next call.
    std::span<const SpectrumMoments> moments(const Host& host);
    std::span<const double> densities(const Host& host);
    std::span<const ProductSums> products(const Host& host, const SumsOnDevice::InPlace& in_place);
    std::span<const SystemSums> systems(const Host& host);
    /// Sets the action of a cell, [stride], of clusters in that of their copies.
    void set_cell(std::int32_t cell, const Host& host, std::span<const Real> action, int copy = -1);
    /// Take over what Propagator::let_in() has set, and its let_through().
    void let_in();
    void let_through();
    /// As PropagationOnDevice::set_water(); source terms get the wave numbers of this water.
    void set_water(std::span<const std::int32_t> cells, const Propagator& propagator, const Host& host);

    /// The state of all local cells there, [total][stride], and where it changes: what exchanges of the halo are made for. Every step makes it
    /// another array.
    Real* action() { return current_.data(); }
    halo::FieldsOnDevice where() const { return {device_.get(), stream_}; }
    /// One step, and the exchange of the halo in it. `meanwhile()` is the host's, after its last message. Collective.
    void propagate(double seconds, const Host& host, halo::Exchanges& exchange,
                   const std::function<void()>& meanwhile);
    /// From now on cells step in clusters, by advance_clusters(). `mesh` is the one that this was made for. Collective.
    void use_clusters(const ClusteredMesh& mesh, ClusterSteps& steps);
    /// One step of them all, `advance()`, which goes through the ClusterSteps. `meanwhile` as for propagate().
    void advance_clusters(const Host& host, const std::function<void()>& advance,
                          const std::function<void()>& meanwhile);

    /// Source terms feel the wind of this forcing, which has read the values of some time and lives longer; `relative`: to the current.
    void use_forcing(const Forcing& forcing, bool relative);
    /// The rest of the conditions of owned cells for source terms.
    struct Surroundings {
        std::span<const Real> depth;  ///< [owned] as CellConditions
        std::span<const Real> open;   ///< [owned] the share of the step for which source terms act
    };
    /// Source terms of all owned cells for so many seconds, under the forcing as it was read last, after use_forcing(). Returns the lowest
    /// cell whose outcome is not sane; -1 if there is none.
    std::int32_t integrate_sources(const Surroundings& surroundings, double seconds, const Host& host);
    /// SourcesOnDevice::exchanges() of owned cells as they are now, [owned], under the forcing as it was read last; there are source terms.
    std::span<const OceanExchange> exchanges(const Surroundings& surroundings, double seconds,
                                             const Host& host);
    /// Damps these cells: IceDampingOnDevice::apply().
    void damp_under_ice(std::span<const std::int32_t> cells, std::span<const Real> left, const Host& host);

private:
    enum class Newer { host, device, neither };
    std::size_t place(std::int32_t cell) const { return static_cast<std::size_t>(cell) * stride_; }
    void bring_in(const Host& host);
    DeviceCells cells_under(const Surroundings& surroundings);
    void copy_out(Real* action, std::int32_t first, std::int32_t last);

    const std::unique_ptr<exec::Device> device_;
    const exec::Stream stream_, copies_;
    const voronoi::LocalMesh& mesh_;
    const SpectralGrid& grid_;
    const std::size_t stride_;
    exec::DeviceArray<Real> first_, second_;
    std::span<Real> current_, next_;
    exec::DeviceArray<SourceState> states_;
    const std::unique_ptr<PropagationOnDevice> propagation_;
    struct Sources;
    const std::unique_ptr<Sources> sources_;  // null: no source terms
    std::unique_ptr<FeltWindOnDevice> wind_;  // null: no forcing yet
    SumsOnDevice sums_;
    std::unique_ptr<ClustersOnDevice> clusters_;  // null: all cells take the same steps
    std::unique_ptr<IceDampingOnDevice> ice_;     // null: none has damped yet
    Newer newer_ = Newer::host;
};

}  // namespace groundswell::sea
