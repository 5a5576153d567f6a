#include "groundswell/quake/device/elements_on_device.hpp"

#include <cstddef>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/device/memory_of_elements.hpp"
#include "groundswell/quake/device/sides.hpp"

namespace groundswell::quake {

// Lanes of blocks that move a side.
constexpr int lanes_of_a_side = 64;

template <class Real>
ElementsOnDevice<Real>::ElementsOnDevice(Elements<Real>& elements, exec::Device& device, exec::Stream stream)
    : elements_(elements),
      kernels_(wave_device_kernels<Real>(elements.layout().order, elements.layout().mechanisms)),
      device_(device),
      clusters_(device, stream),
      memory_(std::make_unique<Memory>(elements.memory(), kernels_.rock.rows, kernels_.water.rows, device,
                                       stream)) {
    GS_ASSERT(elements.layout().lanes == kernels_.elements.layout.lanes &&
              elements.layout().trace == kernels_.elements.layout.trace);
    make_room_to_add();
    device.synchronise(stream);
    elements.move_to(this);
}

template <class Real>
ElementsOnDevice<Real>::~ElementsOnDevice() {
    elements_.move_to(nullptr);
}

template <class Real>
template <class Launch>
void ElementsOnDevice<Real>::for_each_kind(BatchRange batches, const Launch& launch) {
    const auto of = [&](std::int32_t batch) {
        if (elements_.meets_anisotropic(batch)) return &kernels_.anisotropic;
        return elements_.is_water(batch) ? &kernels_.water : &kernels_.rock;
    };
    for (BatchRange run = batches; run.begin < batches.end; run.begin = run.end) {
        const Waves* const kernels = of(run.begin);
        run.end = run.begin + 1;
        while (run.end < batches.end && of(run.end) == kernels) ++run.end;
        ElementsView<Real> view;
        fill(view);
        if (kernels == &kernels_.anisotropic) fill_anisotropic(view);
        if (kernels == &kernels_.water)
            view.rows = {memory_->water_begin.span(), memory_->water_entries.span()};
        launch(run, *kernels, view);
    }
}

template <class Real>
void ElementsOnDevice<Real>::predict(BatchRange batches, Real seconds) {
    predict_pieces(batches, seconds, 1);
}

template <class Real>
void ElementsOnDevice<Real>::predict_pieces(BatchRange batches, Real seconds, int rate) {
    for_each_kind(batches, [&](BatchRange run, const Waves& kernels, ElementsView<Real> view) {
        view.step = seconds;
        view.rate = rate;
        const std::size_t scratch = kernels.predictor_scratch(rate, kernels_.elements.layout.mechanisms);
        launch(rate > 1 ? "predict pieces" : "predict", kernels.predict, run, scratch, view, parts());
    });
}

template <class Real>
void ElementsOnDevice<Real>::correct(BatchRange batches, int piece) {
    for_each_kind(batches, [&](BatchRange run, const Waves& kernels, ElementsView<Real> view) {
        view.piece = piece;
        launch("correct", kernels.correct, run, kernels.corrector_scratch, view,
               clusters_.is_split() ? parts(clusters_.taken_in(batches)) : Parts{});
    });
}

template <class Real>
void ElementsOnDevice<Real>::launch(const char* name, const exec::Program& program, BatchRange batches,
                                    std::size_t scratch, ElementsView<Real> view, Parts parts) {
    view.first = batches.begin;
    device_.launch(stream(), {name, batches.end - batches.begin, lanes(), scratch}, program,
                   exec::Arguments::of(view, std::move(parts)));
}

template <class Real>
bool ElementsOnDevice<Real>::can_look() const {
    return kernels_.look_scratch(kernels_.elements.layout.mechanisms) <= device_.limits().scratch_bytes;
}

template <class Real>
template <class Looks>
void ElementsOnDevice<Real>::look(const char* name, const exec::Program& at_rock,
                                  const exec::Program& at_anisotropic, const Looks& looks,
                                  std::span<const std::int32_t> batches, Parts more) {
    const Parts own = parts();
    more.insert(more.end(), own.begin(), own.end());
    LookView<Real, Looks> view{{}, looks};
    const std::size_t scratch = kernels_.look_scratch(kernels_.elements.layout.mechanisms);
    for (std::size_t begin = 0, end = 0; begin < batches.size(); begin = end) {
        const bool anisotropic = elements_.meets_anisotropic(batches[begin]);
        while (end < batches.size() && elements_.meets_anisotropic(batches[end]) == anisotropic) ++end;
        fill(view.elements);
        if (anisotropic) fill_anisotropic(view.elements);
        view.looks.first = looks.first + static_cast<std::int32_t>(begin);
        device_.launch(stream(), {name, static_cast<int>(end - begin), lanes(), scratch},
                       anisotropic ? at_anisotropic : at_rock, exec::Arguments::of(view, more));
    }
}

template <class Real>
void ElementsOnDevice<Real>::look(const SideLooks& looks, std::span<const std::int32_t> batches,
                                  Parts parts) {
    look(looks.of_sea != 0 ? "foresee the sea" : "look at faults", kernels_.look,
         kernels_.look_at_anisotropic, looks, batches, std::move(parts));
}

template <class Real>
void ElementsOnDevice<Real>::look(const ProbeLooks& looks, std::span<const std::int32_t> batches) {
    look("look at places", kernels_.probe, kernels_.probe_anisotropic, looks, batches, {});
}

template <class Real>
void ElementsOnDevice<Real>::meet_sea(const MeetSeaOnDevice<Real>& work, std::int32_t faces,
                                      int lanes_of_a_face, Parts more) {
    const Parts own = parts();
    more.insert(more.end(), own.begin(), own.end());
    device_.launch(stream(), {"meet the sea", faces, lanes_of_a_face, 0}, kernels_.meet_sea,
                   exec::Arguments::of(work, std::move(more)));
}

template <class Real>
void ElementsOnDevice<Real>::relax(const RelaxOnDevice<Real>& work, BatchRange batches) {
    if (batches.begin == batches.end) return;
    Parts used = parts();
    for (const std::span<double> of_elements : {work.strain, work.work})
        used.push_back(exec::part_of(
            of_elements.subspan(static_cast<std::size_t>(batches.begin) * work.lanes,
                                static_cast<std::size_t>(batches.end - batches.begin) * work.lanes)));
    const std::size_t scratch = RelaxOnDevice<Real>::scratch_bytes(work.places, work.lanes);
    const int wanted =
        std::min({RelaxOnDevice<Real>::most_lanes, device_.limits().lanes, work.places * work.lanes});
    device_.launch(stream(), {"yield", batches.end - batches.begin, wanted, scratch}, kernels_.relax,
                   exec::Arguments::of(work, std::move(used)));
}

template <class Real>
std::span<Real> ElementsOnDevice<Real>::states() {
    return memory_->state.span();
}

template <class Real>
std::span<Real> ElementsOnDevice<Real>::memories() {
    return memory_->memory.span();
}

template <class Real>
std::span<Real> ElementsOnDevice<Real>::sides() {
    return memory_->sides.span();
}

template <class Real>
void ElementsOnDevice<Real>::fill(ElementsView<Real>& view) const {
    Memory& m = *memory_;
    view.material = m.material.span();
    view.faces = m.faces.span();
    view.state = m.state.span();
    view.memory = m.memory.span();
    view.sides = m.sides.span();
    view.mechanisms = kernels_.elements.layout.mechanisms;
    view.material_values = static_cast<int>(kernels_.elements.layout.material);
    view.beyond = m.beyond.span();
    view.pieces = m.pieces.span();
    view.other_kind = m.other_kind.span();
    view.is_water = m.is_water.span();
    view.added = m.added->span();
    view.added_of = m.added_of->span();
    view.added_values = m.added_values;
    view.anisotropic_of = m.anisotropic_of.span();
    view.rows = {m.begin.span(), m.entries.span()};
}

template <class Real>
void ElementsOnDevice<Real>::fill_anisotropic(ElementsView<Real>& view) const {
    view.material = memory_->anisotropic.span();
    view.material_values = static_cast<int>(memory_->anisotropic_values);
}

template <class Real>
void ElementsOnDevice<Real>::add_up(const exec::DeviceArray<SideSum>& sums, bool is_first) {
    if (sums.span().empty()) return;
    const AddSidesOnDevice<Real> work{sums.span(), memory_->sides.span(),
                                      static_cast<int>(kernels_.elements.layout.trace), is_first ? 1 : 0};
    device_.launch(stream(), {"add up sides", static_cast<int>(sums.span().size()), lanes_of_a_side, 0},
                   kernels_.add_sides, exec::Arguments::of(work, parts()));
}

template <class Real>
void ElementsOnDevice<Real>::bring(std::span<const std::int32_t> batches) {
    if (!clusters_.are_of_current(batches)) clusters_.wait_for_all();
    const ElementsMemory<Real> here = elements_.memory();
    const auto copy = [&](std::int32_t begin, std::int32_t end, std::size_t values, std::span<Real> to,
                          std::span<const Real> from) {
        const std::size_t first = static_cast<std::size_t>(begin) * values;
        const std::size_t bytes = static_cast<std::size_t>(end - begin) * values * sizeof(Real);
        if (bytes > 0) device_.copy_out(stream(), to.data() + first, from.data() + first, bytes);
    };
    const BatchLayout& layout = kernels_.elements.layout;
    for_each_run(batches, [&](std::int32_t begin, std::int32_t end) {
        copy(begin, end, layout.state, here.state, memory_->state.span());
        copy(begin, end, layout.memory, here.memory, memory_->memory.span());
    });
    for (const Beside& beside : beside_) beside(batches);
    device_.synchronise(stream());
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
    device_.copy_in(stream(), m.which->span().data(), m.host_which.data(), sides.size_bytes());
    if (back) device_.copy_in(stream(), m.moved->span().data(), m.host_moved.data(), bytes);
    const MoveSidesOnDevice<Real> work{m.which->span(), m.sides.span(), m.moved->span(),
                                       static_cast<int>(values), back ? 1 : 0};
    device_.launch(stream(), {"move sides", static_cast<int>(sides.size()), lanes_of_a_side, 0},
                   kernels_.move_sides, exec::Arguments::of(work, parts_met()));
    if (!back) device_.copy_out(stream(), m.host_moved.data(), m.moved->span().data(), bytes);
}

template <class Real>
void ElementsOnDevice<Real>::bring_sides(std::span<const std::int32_t> sides) {
    Memory& m = *memory_;
    const std::size_t values = kernels_.elements.layout.trace;
    device_.synchronise(stream());  // what moved before has arrived
    m.host_which.assign(sides.begin(), sides.end());
    m.host_moved.resize(sides.size() * values);
    move_sides(sides, false);
    device_.synchronise(stream());
    for (std::size_t i = 0; i < sides.size(); ++i)
        std::copy_n(m.host_moved.data() + i * values, values, elements_.values(sides[i]));
}

template <class Real>
void ElementsOnDevice<Real>::send_sides(std::span<const std::int32_t> sides) {
    Memory& m = *memory_;
    const std::size_t values = kernels_.elements.layout.trace;
    device_.synchronise(stream());  // what moved before has arrived
    m.host_which.assign(sides.begin(), sides.end());
    m.host_moved.resize(sides.size() * values);
    for (std::size_t i = 0; i < sides.size(); ++i)
        std::copy_n(elements_.values(sides[i]), values, m.host_moved.data() + i * values);
    move_sides(sides, true);
    device_.synchronise(stream());  // another cluster may use the buffer next
}

template class ElementsOnDevice<float>;
template class ElementsOnDevice<double>;

}  // namespace groundswell::quake
