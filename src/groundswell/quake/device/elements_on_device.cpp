#include "groundswell/quake/device/elements_on_device.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/device/sides.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

// Lanes of blocks that move a side.
constexpr int lanes_of_a_side = 64;

template <class Real>
struct ElementsOnDevice<Real>::Memory {
    Memory(const ElementsMemory<Real>& from, const RowTables<Real>& rows, exec::Device& device,
           exec::Stream stream)
        : material(device, "material", stream, from.material),
          faces(device, "faces", stream, from.faces),
          state(device, "state", stream, from.state),
          memory(device, "memory variables", stream, from.memory),
          sides(device, "sides", stream, from.sides),
          beyond(device, "sides beyond", stream, from.beyond),
          pieces(device, "pieces", stream, from.pieces),
          begin(device, "rows", stream, rows.begin),
          entries(device, "entries", stream, rows.entries) {}

    exec::DeviceArray<Real> material, faces, state, memory, sides;
    exec::DeviceArray<std::int32_t> beyond, pieces, begin;
    exec::DeviceArray<SparseEntry<Real>> entries;
    // What sources add: which batches have such, and their numbers.
    std::vector<std::int32_t> host_added_of;
    std::optional<exec::DeviceArray<std::int32_t>> added_of;
    std::optional<exec::DeviceArray<Real>> added;
    std::int64_t added_values = 0;
    // Sides on the way, as many as there were at most.
    std::vector<Real> host_moved;
    std::vector<std::int32_t> host_which;
    std::optional<exec::DeviceArray<Real>> moved;
    std::optional<exec::DeviceArray<std::int32_t>> which;
};

template <class Real>
ElementsOnDevice<Real>::ElementsOnDevice(Elements<Real>& elements, exec::Device& device, exec::Stream stream)
    : elements_(elements),
      kernels_(wave_device_kernels<Real>(elements.layout().order, elements.layout().mechanisms)),
      device_(device),
      stream_(stream),
      memory_(std::make_unique<Memory>(elements.memory(), kernels_.rows, device, stream)) {
    GS_ASSERT(elements.layout().lanes == kernels_.elements.layout.lanes &&
              elements.layout().trace == kernels_.elements.layout.trace);
    base::require(!elements.has_liquid() && !elements.has_anisotropic(), "waves on a device",
                  "water or anisotropic rock", "", "isotropic rock alone, or device = \"cpu\"");
    make_room_to_add();
    device.synchronise(stream);
    elements.move_to(this);
}

template <class Real>
ElementsOnDevice<Real>::~ElementsOnDevice() {
    elements_.move_to(nullptr);
}

template <class Real>
void ElementsOnDevice<Real>::predict(BatchRange batches, Real seconds) {
    ElementsView<Real> view;
    view.step = seconds;
    launch("predict", kernels_.predict, batches, scratch_of_predictor(1), view);
}

template <class Real>
void ElementsOnDevice<Real>::predict_pieces(BatchRange batches, Real seconds, int rate) {
    ElementsView<Real> view;
    view.step = seconds;
    view.rate = rate;
    launch("predict pieces", kernels_.predict, batches, scratch_of_predictor(rate), view);
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
    view.memory = m.memory.span();
    view.sides = m.sides.span();
    view.mechanisms = kernels_.elements.layout.mechanisms;
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
    device_.launch(stream_, {"add up sides", static_cast<int>(sums.span().size()), lanes_of_a_side, 0},
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
    const ElementsMemory<Real> here = elements_.memory();
    const auto copy = [&](std::int32_t begin, std::int32_t end, std::size_t values, std::span<Real> to,
                          std::span<const Real> from) {
        const std::size_t first = static_cast<std::size_t>(begin) * values;
        const std::size_t bytes = static_cast<std::size_t>(end - begin) * values * sizeof(Real);
        if (bytes > 0) device_.copy_out(stream_, to.data() + first, from.data() + first, bytes);
    };
    const BatchLayout& layout = kernels_.elements.layout;
    for (std::size_t i = 0, next = 0; i < batches.size(); i = next) {
        for (next = i + 1; next < batches.size() && batches[next] == batches[next - 1] + 1;) ++next;
        copy(batches[i], batches[next - 1] + 1, layout.state, here.state, memory_->state.span());
        copy(batches[i], batches[next - 1] + 1, layout.memory, here.memory, memory_->memory.span());
    }
    device_.synchronise(stream_);
}

// Between sides and the device's buffer, which is the host's when the stream has come to this point.
template <class Real>
void ElementsOnDevice<Real>::move_sides(std::span<const std::int32_t> sides, bool back) {
    Memory& m = *memory_;
    const std::size_t values = kernels_.elements.layout.trace;
    if (!m.which || m.which->span().size() < sides.size()) {
        m.which.emplace(device_, "sides that move", sides.size());
        m.moved.emplace(device_, "moved sides", sides.size() * values);
    }
    const std::size_t bytes = sides.size() * values * sizeof(Real);
    device_.copy_in(stream_, m.which->span().data(), m.host_which.data(), sides.size_bytes());
    if (back) device_.copy_in(stream_, m.moved->span().data(), m.host_moved.data(), bytes);
    const MoveSidesOnDevice<Real> work{m.which->span(), m.sides.span(), m.moved->span(),
                                       static_cast<int>(values), back ? 1 : 0};
    device_.launch(stream_, {"move sides", static_cast<int>(sides.size()), lanes_of_a_side, 0},
                   kernels_.move_sides, exec::Arguments::of(work));
    if (!back) device_.copy_out(stream_, m.host_moved.data(), m.moved->span().data(), bytes);
}

template <class Real>
void ElementsOnDevice<Real>::bring_sides(std::span<const std::int32_t> sides) {
    Memory& m = *memory_;
    const std::size_t values = kernels_.elements.layout.trace;
    device_.synchronise(stream_);  // what moved before has arrived
    m.host_which.assign(sides.begin(), sides.end());
    m.host_moved.resize(sides.size() * values);
    move_sides(sides, false);
    device_.synchronise(stream_);
    for (std::size_t i = 0; i < sides.size(); ++i)
        std::copy_n(m.host_moved.data() + i * values, values, elements_.values(sides[i]));
}

template <class Real>
void ElementsOnDevice<Real>::send_sides(std::span<const std::int32_t> sides) {
    Memory& m = *memory_;
    const std::size_t values = kernels_.elements.layout.trace;
    device_.synchronise(stream_);  // what moved before has arrived
    m.host_which.assign(sides.begin(), sides.end());
    m.host_moved.resize(sides.size() * values);
    for (std::size_t i = 0; i < sides.size(); ++i)
        std::copy_n(elements_.values(sides[i]), values, m.host_moved.data() + i * values);
    move_sides(sides, true);
}

template class ElementsOnDevice<float>;
template class ElementsOnDevice<double>;

}  // namespace groundswell::quake
