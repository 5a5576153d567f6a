#include "groundswell/sea/clusters/device/on_device.hpp"

#include <algorithm>

#include "groundswell/sea/clusters/device/image_step.hpp"

namespace groundswell::sea {

ClustersOnDevice::ClustersOnDevice(exec::Device& device, exec::Stream stream, const SpectralGrid& grid,
                                   PropagationOnDevice& propagation, const ClusteredMesh& mesh,
                                   ClusterSteps& steps, std::array<std::span<Real>, 2> there)
    : device_(device),
      stream_(stream),
      grid_(grid),
      propagation_(propagation),
      mesh_(mesh),
      there_(there),
      profiles_(device, "profiles of images",
                steps.image_in_slower().empty() ? 0 : place_of_profile(mesh.mesh.total)) {
    for (const ClusterBorder& border : mesh.borders)
        places_.emplace_back(device, "cells with images", stream,
                             std::span<const std::int32_t>(border.source));
    if (!steps.image_in_slower().empty()) {
        places_.emplace_back(device, "images of cells", stream, steps.image_in_slower());
        propagation.use_images(mesh.first_image, profiles_.span(), places_.back().span());
        // As those of the host, until they are set.
        device.copy_in(stream, profiles_.span().data(), steps.profiles(), profiles_.span().size_bytes());
    }
    device.synchronise(stream);
}

std::span<const std::int32_t> ClustersOnDevice::sources(const ClusterBorder& border, std::int32_t begin,
                                                        std::int32_t end) const {
    const auto which = static_cast<std::size_t>(&border - mesh_.borders.data());
    return places_[which].span().subspan(static_cast<std::size_t>(begin),
                                         static_cast<std::size_t>(end - begin));
}

void ClustersOnDevice::set_images(const ClusterBorder& border, Seen seen, int from, int to,
                                  std::int32_t begin, std::int32_t end) {
    if (begin == end) return;
    const std::int32_t first = border.first + begin;
    const ImageStep step{there_[from],
                         there_[to],
                         sources(border, begin, end),
                         seen == Seen::at_half_time
                             ? std::span<const Real>(profiles_.span()).subspan(place_of_profile(first))
                             : std::span<const Real>(),
                         propagation_.ratios(),
                         first,
                         static_cast<int>(grid_.stride()),
                         grid_.bins(),
                         grid_.directions,
                         propagation_.frequency_stride(),
                         seen};
    device_.launch(stream_,
                   {"images", end - begin, std::min(ImageStep::most_lanes, device_.limits().lanes), 0},
                   {exec::run_block<ImageStep>, image_cuda_entry()}, exec::Arguments::of(step));
}

void ClustersOnDevice::set_profiles(const ClusterBorder& border, std::int32_t begin, std::int32_t end,
                                    int from, double step) {
    propagation_.set_profiles(stream_, sources(border, begin, end), border.first + begin, there_[from], step);
}

void ClustersOnDevice::propagate(mesh::CellRange cells, int from, double step, bool add_profiles) {
    if (cells.cells() == 0) return;
    propagation_.add_half_profiles(add_profiles);
    propagation_.propagate(stream_, cells.begin, cells.end, there_[1 - from], there_[from], step);
}

void ClustersOnDevice::copy(mesh::CellRange cells, int from) {
    device_.copy_within(stream_, there_[1 - from].data() + place(cells.begin),
                        there_[from].data() + place(cells.begin), place(cells.cells()) * sizeof(Real));
}

}  // namespace groundswell::sea
