#pragma once

#include <array>
#include <deque>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/clusters/images.hpp"
#include "groundswell/sea/clusters/steps.hpp"
#include "groundswell/sea/clusters/work.hpp"
#include "groundswell/sea/propagation/on_device.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// The steps of clusters on a device.
class ClustersOnDevice final : public ClusterWork {
public:
    /// All live longer. `there`: both copies of the state.
    ClustersOnDevice(exec::Device& device, exec::Stream stream, const SpectralGrid& grid,
                     PropagationOnDevice& propagation, const ClusteredMesh& mesh, ClusterSteps& steps,
                     std::array<std::span<Real>, 2> there);

    void set_images(const ClusterBorder& border, Seen seen, int from, int to, std::int32_t begin,
                    std::int32_t end) override;
    void set_profiles(const ClusterBorder& border, std::int32_t begin, std::int32_t end, int from,
                      double step) override;
    void propagate(mesh::CellRange cells, int from, double step, bool add_profiles) override;
    void copy(mesh::CellRange cells, int from) override;
    /// As ClusterSteps::profiles().
    Real* profiles() { return profiles_.span().data(); }

private:
    std::size_t place(std::int32_t cell) const { return static_cast<std::size_t>(cell) * grid_.stride(); }
    std::size_t place_of_profile(std::int32_t image) const { return 3 * place(image - mesh_.first_image); }
    std::span<const std::int32_t> sources(const ClusterBorder& border, std::int32_t begin,
                                          std::int32_t end) const;

    exec::Device& device_;
    const exec::Stream stream_;
    const SpectralGrid& grid_;
    PropagationOnDevice& propagation_;
    const ClusteredMesh& mesh_;
    const std::array<std::span<Real>, 2> there_;
    std::deque<exec::DeviceArray<std::int32_t>> places_;  // sources of each border, then images of cells
    exec::DeviceArray<Real> profiles_;                    // [image][3][stride]; empty in first order
};

}  // namespace groundswell::sea
