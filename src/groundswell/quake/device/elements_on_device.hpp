#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/quake/device/clusters/cluster_streams.hpp"
#include "groundswell/quake/device/kernels.hpp"
#include "groundswell/quake/device/look.hpp"
#include "groundswell/quake/device/probe.hpp"
#include "groundswell/quake/device/relax.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/elements/side_entries.hpp"

namespace groundswell::quake {

/// Calls body(first, behind the last) for each run of consecutive numbers.
template <class Body>
void for_each_run(std::span<const std::int32_t> ascending, const Body& body) {
    for (std::size_t i = 0, next = 0; i < ascending.size(); i = next) {
        for (next = i + 1; next < ascending.size() && ascending[next] == ascending[next - 1] + 1;) ++next;
        body(ascending[i], ascending[next - 1] + 1);
    }
}

/// Elements on a device: from now on state and sides change there, by the kernels of Elements. All is done in the order of one
/// stream, or of one for each cluster.
template <class Real>
class ElementsOnDevice final : public Elsewhere {
public:
    using Parts = std::vector<exec::ArrayPart>;
    /// `elements` lie as wave_device_kernels(order, mechanisms).elements say, and must outlive this, as must the device.
    ElementsOnDevice(Elements<Real>& elements, exec::Device& device, exec::Stream stream);
    ~ElementsOnDevice() override;

    /// See ClusterStreams.
    ClusterStreams& clusters() { return clusters_; }
    /// Parts of elements' arrays that kernels of the cluster turned to use, where clusters have streams of their own; for sides see ClusterStreams.
    Parts parts(const ClusterStreams::Sides& sides);
    Parts parts() { return clusters_.is_split() ? parts(clusters_.predicted()) : Parts{}; }
    Parts parts_met() { return clusters_.is_split() ? parts(clusters_.met()) : Parts{}; }

    void predict(BatchRange batches, Real seconds);
    void predict_pieces(BatchRange batches, Real seconds, int rate);
    void correct(BatchRange batches, int piece);
    /// Whether a block has scratch enough to look at anything. Predictors may have enough where it has not.
    bool can_look() const;
    /// Looks at sides before they are predicted: at those of these batches, which are the next ones of `looks`; `parts` of other arrays
    /// are used.
    void look(const SideLooks& looks, std::span<const std::int32_t> batches, Parts parts);
    /// The same at places.
    void look(const ProbeLooks& looks, std::span<const std::int32_t> batches);
    /// Lets so many faces meet a sea's surface, by blocks of so many lanes.
    void meet_sea(const MeetSeaOnDevice<Real>& work, std::int32_t faces, int lanes_of_a_face, Parts parts);
    /// Lets rock yield in some batches; `work` says which is the first.
    void relax(const RelaxOnDevice<Real>& work, BatchRange batches);
    /// `is_first`: of the steps whose total it is.
    void add_up(const exec::DeviceArray<SideSum>& sums, bool is_first);

    /// Tells the device what sources add in batches where that has changed, ascending. The numbers must stay until bring().
    void add(std::span<const std::int32_t> batches);

    /// All sides, states and what elements remember, as kernels see them; and where all is done that is asked of this.
    std::span<Real> sides();
    std::span<Real> states();
    std::span<Real> memories();
    int side_values() const { return static_cast<int>(kernels_.elements.layout.trace); }
    const BatchPlaces& places() const { return elements_.places(); }
    const BatchLayout& layout() const { return kernels_.elements.layout; }
    exec::Device& device() { return device_; }
    exec::Stream stream() const { return clusters_.current(); }

    /// Something that stands beside the states of elements: bring() calls it with its batches, to ask for copies of the same stream.
    using Beside = std::function<void(std::span<const std::int32_t> batches)>;
    void bring_too(Beside beside) { beside_.push_back(std::move(beside)); }

    /// All that was asked for is done; of the cluster turned to.
    void wait() { device_.synchronise(stream()); }

    void bring(std::span<const std::int32_t> batches) override;
    void bring_sides(std::span<const std::int32_t> sides) override;
    void send_sides(std::span<const std::int32_t> sides) override;

private:
    struct Memory;
    using Waves = typename DeviceKernels<Real>::Waves;
    // launch(batches, kernels, view of elements) for rock, water and what meets anisotropic rock among some batches, each with its own.
    template <class Launch>
    void for_each_kind(BatchRange batches, const Launch& launch);
    void launch(const char* name, const exec::Program& program, BatchRange batches, std::size_t scratch,
                ElementsView<Real> view, Parts parts);
    // By the program for rock or that for what meets anisotropic rock.
    template <class Looks>
    void look(const char* name, const exec::Program& at_rock, const exec::Program& at_anisotropic,
              const Looks& looks, std::span<const std::int32_t> batches, Parts more);
    void fill(ElementsView<Real>& view) const;
    void fill_anisotropic(ElementsView<Real>& view) const;
    int lanes() const { return std::min(kernels_.most_lanes, device_.limits().lanes); }
    void make_room_to_add();
    void move_sides(std::span<const std::int32_t> sides, bool back);

    Elements<Real>& elements_;
    const DeviceKernels<Real>& kernels_;
    exec::Device& device_;
    ClusterStreams clusters_;
    std::unique_ptr<Memory> memory_;
    std::vector<Beside> beside_;
};

}  // namespace groundswell::quake
