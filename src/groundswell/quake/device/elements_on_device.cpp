#include "groundswell/quake/device/elements_on_device.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

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
    // What sources add: which batches have such, and their numbers.
    std::vector<std::int32_t> host_added_of;
    std::optional<exec::DeviceArray<std::int32_t>> added_of;
    std::optional<exec::DeviceArray<Real>> added;
    std::int64_t added_values = 0;
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
    make_room_to_add();
    device.synchronise(stream);
    elements.change_elsewhere([this](std::span<const std::int32_t> batches) { bring(batches); });
}

template <class Real>
ElementsOnDevice<Real>::~ElementsOnDevice() {
    elements_.change_elsewhere({});
}

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
    view.added = m.added->span();
    view.added_of = m.added_of->span();
    view.added_values = m.added_values;
    view.rows = {m.begin.span(), m.entries.span()};
    view.first = batches.begin;
    const int lanes = std::min(kernels_.most_lanes, device_.limits().lanes);
    device_.launch(stream_, {name, batches.end - batches.begin, lanes, scratch}, program,
                   exec::Arguments::of(view));
}

template <class Real>
void ElementsOnDevice<Real>::add_up(const exec::DeviceArray<SideSum>& sums, bool is_first) {
    if (sums.span().empty()) return;
    const AddSidesOnDevice<Real> work{sums.span(), memory_->sides.span(),
                                      static_cast<int>(kernels_.elements.layout.trace), is_first ? 1 : 0};
    constexpr int lanes = 64;
    device_.launch(stream_, {"add up sides", static_cast<int>(sums.span().size()), lanes, 0},
                   kernels_.add_sides, exec::Arguments::of(work));
}

template <class Real>
void ElementsOnDevice<Real>::make_room_to_add() {
    Memory& m = *memory_;
    const std::int32_t batches = elements_.places().batches();
    std::int32_t with_sources = 0;
    m.host_added_of.assign(batches, -1);
    for (std::int32_t b = 0; b < batches; ++b) {
        if (elements_.added_to(b).empty()) continue;
        m.host_added_of[b] = with_sources++;
        m.added_values = static_cast<std::int64_t>(elements_.added_to(b).size());
    }
    device_.synchronise(stream_);  // none uses those before
    m.added.emplace(device_, "sources", static_cast<std::size_t>(with_sources * m.added_values));
    m.added_of.emplace(device_, "batches with sources", stream_, m.host_added_of);
    for (std::int32_t b = 0; b < batches; ++b) {
        if (m.host_added_of[b] >= 0) add({&b, 1});
    }
}

template <class Real>
void ElementsOnDevice<Real>::add(std::span<const std::int32_t> batches) {
    Memory& m = *memory_;
    const auto is_new = [&](std::int32_t b) { return m.host_added_of[b] < 0; };
    if (std::ranges::any_of(batches, is_new)) return make_room_to_add();
    for (const std::int32_t b : batches) {
        const std::span<const Real> from = elements_.added_to(b);
        device_.copy_in(stream_, m.added->span().data() + m.host_added_of[b] * m.added_values, from.data(),
                        from.size_bytes());
    }
}

template <class Real>
void ElementsOnDevice<Real>::bring(std::span<const std::int32_t> batches) {
    const std::size_t values = kernels_.elements.layout.state;
    const std::span<Real> to = elements_.memory().state;
    for (std::size_t i = 0, next = 0; i < batches.size(); i = next) {
        for (next = i + 1; next < batches.size() && batches[next] == batches[next - 1] + 1;) ++next;
        const std::size_t first = static_cast<std::size_t>(batches[i]) * values;
        device_.copy_out(stream_, to.data() + first, memory_->state.span().data() + first,
                         (next - i) * values * sizeof(Real));
    }
    device_.synchronise(stream_);
}

template class ElementsOnDevice<float>;
template class ElementsOnDevice<double>;

}  // namespace groundswell::quake
