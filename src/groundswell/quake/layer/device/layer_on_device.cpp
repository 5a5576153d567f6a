#include "groundswell/quake/layer/device/layer_on_device.hpp"

#include <algorithm>

#include "groundswell/quake/layer/device/fade.hpp"

namespace groundswell::quake {

// Lanes of blocks that have a batch.
constexpr int lanes_of_a_batch = 128;

template <class Real>
struct LayerOnDevice<Real>::Numbers {
    Numbers(const AbsorbingLayer<Real>& layer, const ElementsOnDevice<Real>& elements,
            std::span<const double> seconds) {
        const BatchPlaces& places = elements.places();
        const auto lanes = static_cast<std::size_t>(elements.layout().lanes);
        for (std::int32_t b = 0; b < places.batches(); ++b) {
            if (!layer.reaches(b)) continue;
            batch.push_back(b);
            for (std::int32_t e = places.element_begin(b); e < places.element_begin(b + 1); ++e)
                left.push_back(layer.left(e, seconds[b]));
            left.resize(batch.size() * lanes, Real(1));  // of lanes without an element
        }
    }

    std::vector<std::int32_t> batch;
    std::vector<Real> left;
};

template <class Real>
LayerOnDevice<Real>::LayerOnDevice(const AbsorbingLayer<Real>& layer, ElementsOnDevice<Real>& elements,
                                   std::span<const double> seconds)
    : LayerOnDevice(elements, Numbers(layer, elements, seconds)) {}

template <class Real>
LayerOnDevice<Real>::LayerOnDevice(ElementsOnDevice<Real>& elements, const Numbers& numbers)
    : elements_(elements),
      batches_(numbers.batch),
      batch_(elements.device(), "batches of the layer", elements.stream(), numbers.batch),
      left_(elements.device(), "what the layer leaves", elements.stream(), numbers.left) {
    elements.wait();
}

template <class Real>
void LayerOnDevice<Real>::fade(BatchRange batches) {
    const auto begin = std::ranges::lower_bound(batches_, batches.begin),
               end = std::ranges::lower_bound(batches_, batches.end);
    if (begin == end) return;
    const BatchLayout& layout = elements_.layout();
    const FadeOnDevice<Real> work{batch_.span(),
                                  left_.span(),
                                  elements_.states(),
                                  elements_.memories(),
                                  static_cast<int>(layout.state),
                                  static_cast<int>(layout.memory),
                                  layout.lanes,
                                  static_cast<std::int32_t>(begin - batches_.begin())};
    exec::Device& device = elements_.device();
    device.launch(
        elements_.stream(),
        {"fade", static_cast<int>(end - begin), std::min(lanes_of_a_batch, device.limits().lanes), 0},
        {exec::run_block<FadeOnDevice<Real>>, fade_cuda_entry<Real>()},
        exec::Arguments::of(work, elements_.parts()));
}

template class LayerOnDevice<float>;
template class LayerOnDevice<double>;

}  // namespace groundswell::quake
