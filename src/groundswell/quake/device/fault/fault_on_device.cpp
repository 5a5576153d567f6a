#include "groundswell/quake/device/fault/fault_on_device.hpp"

#include <algorithm>
#include <cstddef>

#include "groundswell/quake/device/fault/feel.hpp"
#include "groundswell/quake/device/fault/view.hpp"
#include "groundswell/quake/device/sides_looked_at.hpp"

namespace groundswell::quake {

namespace {

// Lanes of blocks that feel a batch of faces.
constexpr int lanes_that_feel = 128;

template <class T>
std::span<const T> numbers_at(const T* first, std::size_t count) {
    return {first, count};
}

std::vector<double> thermal_modes() {
    const ThermalModes modes;
    std::vector<double> all;
    for (const auto* const numbers : {&modes.square, &modes.source, &modes.weight})
        all.insert(all.end(), numbers->begin(), numbers->end());
    return all;
}

// [batch][+, −][face] of what each face has for both of its sides. Lanes without a face have `without`, or what the face before them has.
enum class Lonely { as_before, without };
std::vector<std::int32_t> by_batch(const FaultParts& parts,
                                   std::span<const std::array<std::int32_t, 2>> of_face, Lonely lonely) {
    std::vector<std::int32_t> all;
    for (const FaultLanes& faces : parts.faces_of) {
        for (int s = 0; s < 2; ++s) {
            for (int lane = 0; lane < parts.faces; ++lane) {
                int from = lane;
                while (faces[from] < 0) --from;
                all.push_back(from < lane && lonely == Lonely::without ? -1 : of_face[faces[from]][s]);
            }
        }
    }
    return all;
}

std::vector<std::int32_t> turns_of(const FaultParts& parts) {
    std::vector<std::int32_t> all;
    for (const FaultLanes& faces : parts.faces_of) {
        for (int lane = 0; lane < parts.faces; ++lane)
            all.push_back(faces[lane] < 0 ? 0 : parts.turn[faces[lane]]);
    }
    return all;
}

std::vector<double> one_after_the_other(std::span<const std::vector<double>> parts, std::size_t each) {
    std::vector<double> all;
    for (const std::vector<double>& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
        all.resize((static_cast<std::size_t>(&part - parts.data()) + 1) * each);
    }
    return all;
}

std::vector<std::vector<SidesLookedAt::Side>> looked_at(const FaultParts& parts) {
    std::vector<std::vector<SidesLookedAt::Side>> all;
    for (const auto& of_block : parts.looked) {
        auto& sides = all.emplace_back();
        for (const FaultLooked& one : of_block)
            sides.push_back({one.batch, one.element, 4 * one.turn + one.face, one.side, one.normal});
    }
    return all;
}

std::vector<std::span<const TraceEntry>> traces_of(const FaultParts& parts) {
    std::vector<std::span<const TraceEntry>> all;
    for (const auto& of_turn : parts.trace) all.insert(all.end(), of_turn.begin(), of_turn.end());
    return all;
}

// Tables that a device has in a form of its own.
struct Tables {
    explicit Tables(const FaultParts& p)
        : modes(thermal_modes()),
          turned(one_after_the_other(p.turned, static_cast<std::size_t>(p.rule.basis) * p.rule.basis)),
          side_of(by_batch(p, p.side_of, Lonely::as_before)),
          own(by_batch(p, p.own_of, Lonely::without)),
          beyond(by_batch(p, p.beyond_of, Lonely::without)),
          turn(turns_of(p)) {}

    std::vector<double> modes, turned;
    std::vector<std::int32_t> side_of, own, beyond, turn;
};

}  // namespace

template <class Real>
struct FaultOnDevice<Real>::Memory {
    Memory(const FaultParts& p, const Tables& t, exec::Device& device, exec::Stream stream)
        : sides(device, "fault sides", stream, p.sides),
          state(device, "fault states", stream, p.state),
          heat(device, "heat of faults", stream, p.heat),
          traction(device, "traction on faults",
                   p.faces_of.size() * static_cast<std::size_t>(3 * p.rule.basis * p.faces)),
          geometry(device, "fault faces", stream, p.geometry),
          initial(device, "stress on faults", stream, p.initial),
          nucleation(device, "nucleation", stream, p.nucleation),
          parameter(device, "friction", stream, p.parameter),
          thermal(device, "zones of slip", stream, p.thermal),
          at(device, "functions at points", stream, p.rule.at),
          onto(device, "points onto functions", stream, p.rule.onto),
          smoothing(
              device, "smoothing", stream,
              numbers_at(p.step.smoothing, static_cast<std::size_t>(p.rule.points()) * p.rule.points())),
          time(device, "times", stream, p.rule.time),
          weight(device, "weights", stream, p.rule.weight),
          substep(device, "sub-steps", stream, p.rule.substep),
          of_fault(device, "numbers of a fault", stream,
                   numbers_at(p.step.of_fault, find_law(p.law)->of_fault.size())),
          modes(device, "waves across faults", stream, t.modes),
          turned(device, "turned faces", stream, t.turned),
          episodes(device, "episodes", stream, p.step.nucleation),
          side_of(device, "sides of faces", stream, t.side_of),
          own(device, "own sides", stream, t.own),
          beyond(device, "sides beyond faults", stream, t.beyond),
          turn(device, "turns", stream, t.turn),
          looked(device, stream, traces_of(p), p.rule.basis, looked_at(p)) {
        device.synchronise(stream);
    }

    exec::DeviceArray<double> sides, state, heat, traction;
    exec::DeviceArray<double> geometry, initial, nucleation, parameter, thermal;
    exec::DeviceArray<double> at, onto, smoothing, time, weight, substep, of_fault, modes, turned;
    exec::DeviceArray<NucleationStep> episodes;
    exec::DeviceArray<std::int32_t> side_of, own, beyond, turn;
    SidesLookedAt looked;
};

template <class Real>
bool FaultOnDevice<Real>::has_form(const Fault& fault) {
    return fault_programs(fault.law().name).scratch_bytes != nullptr && !fault.must_be_here();
}

template <class Real>
FaultOnDevice<Real>::FaultOnDevice(Fault& fault, ElementsOnDevice<Real>& elements)
    : fault_(fault),
      elements_(elements),
      parts_(fault.parts()),
      programs_(fault_programs(parts_.law)),
      is_here_(parts_.faces_of.size(), 1) {
    memory_ = std::make_unique<Memory>(parts_, Tables(parts_), elements.device(), elements.stream());
    fault.move_to(this);
}

template <class Real>
FaultOnDevice<Real>::~FaultOnDevice() {
    fault_.move_to(nullptr);
}

template <class Real>
void FaultOnDevice<Real>::look(int block) {
    SideLooks looks = memory_->looked.of(block);
    looks.sides = memory_->sides.span();
    looks.side_values = parts_.side_values;
    elements_.look(looks, memory_->looked.batches(block), {exec::part_of(sides_of_cluster())});
}

template <class Real>
std::span<double> FaultOnDevice<Real>::sides_of_cluster() {
    const auto cluster = static_cast<std::size_t>(elements_.clusters().cluster());
    const auto values = static_cast<std::size_t>(parts_.side_values);
    if (!elements_.clusters().is_split()) return memory_->sides.span();
    const std::size_t begin = parts_.first_side[cluster] * values;
    return memory_->sides.span().subspan(begin, parts_.first_side[cluster + 1] * values - begin);
}

template <class Real>
void FaultOnDevice<Real>::solve(std::int32_t begin, std::int32_t end, const FaultStep& step) {
    if (begin == end) return;
    Memory& m = *memory_;
    const FaultRule& rule = parts_.rule;
    FaultView view;
    view.tables = {m.at.span(),      m.onto.span(),     m.smoothing.span(), m.time.span(),    m.weight.span(),
                   m.substep.span(), m.of_fault.span(), m.modes.span(),     m.episodes.span()};
    view.geometry = m.geometry.span();
    view.initial = m.initial.span();
    view.nucleation = m.nucleation.span();
    view.parameter = m.parameter.span();
    view.thermal = m.thermal.span();
    view.sides = m.sides.span();
    view.side_of = m.side_of.span();
    view.state = m.state.span();
    view.heat = m.heat.span();
    view.traction = m.traction.span();
    view.first = begin;
    view.faces = parts_.faces;
    view.order = rule.order;
    view.points = rule.points();
    view.basis = rule.basis;
    view.pressing = rule.pressing;
    view.parameters = parts_.parameters;
    view.side_values = parts_.side_values;
    view.heats = step.thermal != nullptr ? 1 : 0;
    view.counts_jump = parts_.counts_jump ? 1 : 0;
    view.begin = step.time;
    view.length = step.length;
    view.scheme = step.scheme;
    if (step.thermal != nullptr) view.thermal_numbers = *step.thermal;

    const auto of_batches = [&](std::span<double> array, int values) {
        const auto each = static_cast<std::size_t>(values * rule.points() * parts_.faces);
        return exec::part_of(array.empty() ? array : array.subspan(begin * each, (end - begin) * each));
    };
    const auto each = static_cast<std::size_t>(3 * rule.basis * parts_.faces);
    const std::span<double> traction = m.traction.span().subspan(begin * each, (end - begin) * each);
    exec::Device& device = elements_.device();
    const int warps = (rule.points() * parts_.faces + 31) / 32;  // of a GPU, that have a point
    const int lanes = std::min({32 * warps, programs_.most_lanes, device.limits().lanes});
    device.launch(
        elements_.stream(),
        {"friction", end - begin, lanes, programs_.scratch_bytes(rule.order, rule.points(), parts_.faces)},
        programs_.solve,
        exec::Arguments::of(
            view, {of_batches(m.state.span(), kept_states), of_batches(m.heat.span(), thermal_values),
                   exec::part_of(traction), exec::part_of(std::span<const double>(sides_of_cluster()))}));
    const FeelFaultOnDevice<Real> feel{
        memory_->traction.span(), m.turned.span(), m.turn.span(), m.own.span(), m.beyond.span(),
        elements_.sides(),        begin,           parts_.faces,  rule.basis,   elements_.side_values()};
    auto felt = elements_.parts_met();
    felt.push_back(exec::part_of(std::span<const double>(traction)));
    device.launch(elements_.stream(), {"feel friction", end - begin, lanes_that_feel, 0},
                  feel_program<Real>(), exec::Arguments::of(feel, std::move(felt)));
    std::fill(is_here_.begin() + begin, is_here_.begin() + end, 0);
}

template <class Real>
void FaultOnDevice<Real>::copy_out(std::span<double> to, std::span<const double> from, std::size_t begin,
                                   std::size_t end) {
    if (end > begin)
        elements_.device().copy_out(elements_.stream(), to.data() + begin, from.data() + begin,
                                    (end - begin) * sizeof(double));
}

template <class Real>
void FaultOnDevice<Real>::bring_states(std::span<const std::int32_t> batches) {
    const auto values = static_cast<std::size_t>(kept_states * parts_.rule.points() * parts_.faces);
    bool any = false;
    for (std::size_t i = 0, next = 0; i < batches.size(); i = next) {
        next = i + 1;
        if (is_here_[batches[i]] != 0) continue;
        while (next < batches.size() && batches[next] == batches[next - 1] + 1 &&
               is_here_[batches[next]] == 0)
            ++next;
        copy_out(parts_.state, memory_->state.span(), batches[i] * values, (batches[next - 1] + 1) * values);
        any = true;
    }
    if (any) elements_.wait();
    for (const std::int32_t b : batches) is_here_[b] = 1;
}

template <class Real>
void FaultOnDevice<Real>::bring_heat() {
    copy_out(parts_.heat, memory_->heat.span(), 0, parts_.heat.size());
    elements_.wait();
}

template <class Real>
void FaultOnDevice<Real>::bring_sides(std::int32_t begin, std::int32_t end) {
    const auto values = static_cast<std::size_t>(parts_.side_values);
    copy_out(parts_.sides, memory_->sides.span(), begin * values, end * values);
    elements_.wait();
}

template <class Real>
double* FaultOnDevice<Real>::there(const double* side) {
    return memory_->sides.span().data() + (side - parts_.sides.data());
}

template class FaultOnDevice<float>;
template class FaultOnDevice<double>;

}  // namespace groundswell::quake
