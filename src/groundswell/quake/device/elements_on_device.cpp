#include "groundswell/quake/device/elements_on_device.hpp"

#include <algorithm>
#include <cstddef>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

template <class Real>
struct ElementsOnDevice<Real>::Memory {
    Memory(const ElementsMemory<Real>& from, const RowTables<Real>& rows, exec::Device& device,
           exec::Stream stream)
        : material(device, "material", stream, from.material),
          faces(device, "faces", stream, from.faces),
          state(device, "state", stream, from.state),
          sides(device, "sides", stream, from.sides),
          beyond(device, "sides beyond", stream, from.beyond),
          pieces(device, "pieces", stream, from.pieces),
          begin(device, "rows", stream, rows.begin),
          entries(device, "entries", stream, rows.entries) {}

    exec::DeviceArray<Real> material, faces, state, sides;
    exec::DeviceArray<std::int32_t> beyond, pieces, begin;
    exec::DeviceArray<SparseEntry<Real>> entries;
};

template <class Real>
ElementsOnDevice<Real>::ElementsOnDevice(Elements<Real>& elements, exec::Device& device, exec::Stream stream)
    : elements_(elements),
      kernels_(elastic_device_kernels<Real>(elements.layout().order)),
      device_(device),
      stream_(stream),
      memory_(std::make_unique<Memory>(elements.memory(), kernels_.rows, device, stream)) {
    GS_ASSERT(elements.layout().lanes == kernels_.elements.layout.lanes &&
              elements.layout().trace == kernels_.elements.layout.trace);
    base::require(!elements.has_liquid(), "waves on a device", "water", "",
                  "rock alone, or device = \"cpu\"");
}

template <class Real>
ElementsOnDevice<Real>::~ElementsOnDevice() = default;

template <class Real>
void ElementsOnDevice<Real>::predict(BatchRange batches, Real seconds) {
    ElementsView<Real> view;
    view.step = seconds;
    launch("predict", kernels_.predict, batches, kernels_.predictor_scratch, view);
}

template <class Real>
void ElementsOnDevice<Real>::predict_pieces(BatchRange batches, Real seconds, int rate) {
    ElementsView<Real> view;
    view.step = seconds;
    view.rate = rate;
    launch("predict pieces", kernels_.predict, batches, kernels_.predictor_of_pieces_scratch, view);
}

template <class Real>
void ElementsOnDevice<Real>::correct(BatchRange batches, int piece) {
    ElementsView<Real> view;
    view.piece = piece;
    launch("correct", kernels_.correct, batches, kernels_.corrector_scratch, view);
}

template <class Real>
void ElementsOnDevice<Real>::launch(const char* name, const exec::Program& program, BatchRange batches,
                                    std::size_t scratch, ElementsView<Real> view) {
    if (batches.begin == batches.end) return;
    Memory& m = *memory_;
    view.material = m.material.span();
    view.faces = m.faces.span();
    view.state = m.state.span();
    view.sides = m.sides.span();
    view.beyond = m.beyond.span();
    view.pieces = m.pieces.span();
    view.rows = {m.begin.span(), m.entries.span()};
    view.first = batches.begin;
    const int lanes = std::min(kernels_.most_lanes, device_.limits().lanes);
    device_.launch(stream_, {name, batches.end - batches.begin, lanes, scratch}, program,
                   exec::Arguments::of(view));
}

template <class Real>
void ElementsOnDevice<Real>::fetch_state() {
    const std::span<Real> to = elements_.memory().state;
    device_.copy_out(stream_, to.data(), memory_->state.span().data(), to.size_bytes());
    device_.synchronise(stream_);
}

template class ElementsOnDevice<float>;
template class ElementsOnDevice<double>;

}  // namespace groundswell::quake
