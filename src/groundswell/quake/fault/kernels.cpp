#include "groundswell/quake/fault/kernels.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "groundswell/quake/fault/laws/laws.hpp"
#include "groundswell/quake/kernels/pack.hpp"

namespace groundswell::quake {

namespace {

constexpr int fault_lanes = native_lanes<double>;
static_assert(fault_lanes <= most_fault_lanes);
using FaultPack = Pack<double, fault_lanes>;

template <class Value>
FaultBatch<Value> batch_in(const FaultMemory& memory) {
    const auto packs = [](auto* numbers) {
        using Number = std::remove_pointer_t<decltype(numbers)>;
        return reinterpret_cast<std::conditional_t<std::is_const_v<Number>, const Value, Value>*>(numbers);
    };
    return {reinterpret_cast<const FaultFace<Value>*>(memory.face),
            nullptr,
            nullptr,
            packs(memory.initial),
            packs(memory.nucleation),
            packs(memory.parameter),
            packs(memory.state),
            packs(memory.traction),
            packs(memory.thermal),
            packs(memory.heat),
            packs(memory.place)};
}

template <class Law, int order, class Value>
void solve_in(const FaultRule& rule, const FaultStep& step, const FaultMemory& memory) {
    FaultBatch<Value> batch = batch_in<Value>(memory);
    if constexpr (std::is_arithmetic_v<Value>) {
        batch.plus = *memory.plus;
        batch.minus = *memory.minus;
        solve_fault<Law, order>(rule, step, batch);
    } else {
        constexpr int used = 6 * FaultRule::rows(order);
        constexpr int values = (used + side_granularity - 1) / side_granularity * side_granularity;
        Value plus[values], minus[values];
        gather<double, fault_lanes>(memory.plus, values, plus);
        gather<double, fault_lanes>(memory.minus, values, minus);
        batch.plus = plus;
        batch.minus = minus;
        solve_fault<Law, order>(rule, step, batch);
    }
}

template <class Law>
void start_in(const FaultRule& rule, const FaultStep& step, const FaultMemory& memory) {
    start_fault<Law>(rule, step, batch_in<FaultPack>(memory));
}

template <class Law, int... above>
constexpr FaultKernel kernel_of(std::integer_sequence<int, above...>) {
    return {Law::name,
            {solve_in<Law, lowest_order + above, FaultPack>...},
            start_in<Law>,
            {solve_in<Law, lowest_order + above, double>...}};
}
template <class... Law>
constexpr std::array<FaultKernel, sizeof...(Law)> kernels_of(LawList<Law...>) {
    return {kernel_of<Law>(std::make_integer_sequence<int, FaultKernel::orders>{})...};
}

constexpr std::array fault_kernels = kernels_of(FrictionLaws{});

// As many of a batch's lanes as a pack of double has, from one on.
template <class Real>
FaultPack lanes_from(const Real* values) {
    if constexpr (std::is_same_v<Real, double>) {
        return *reinterpret_cast<const FaultPack*>(values);
    } else {
        using Narrow [[gnu::vector_size(sizeof(Real) * fault_lanes)]] = Real;
        return __builtin_convertvector(*reinterpret_cast<const Narrow*>(values), FaultPack);
    }
}

template <class Real>
void look_at_fault(const FaultLook<Real>& at) {
    constexpr int stress[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    FaultPack normal[3], traces[6 * most_rows + side_granularity];
    for (int j = 0; j < 3; ++j) {
        for (int lane = 0; lane < fault_lanes; ++lane)
            normal[j][lane] = at.normal[j * most_fault_lanes + lane];
    }
    FaultPack* to = traces;
    const Real* derivatives = at.derivatives;
    for (int k = 0; k < at.order; ++k) {
        const int basis = basis_size(at.order - k), rows = face_basis_size(at.order - k);
        FaultPack values[basis_size(highest_order)][6];
        for (int b = 0; b < basis; ++b, derivatives += 9 * at.lanes_of_field) {
            for (int i = 0; i < 3; ++i) {
                values[b][i] = FaultPack{};
                for (int j = 0; j < 3; ++j)
                    values[b][i] += normal[j] * lanes_from(derivatives + stress[i][j] * at.lanes_of_field);
                values[b][3 + i] = lanes_from(derivatives + (6 + i) * at.lanes_of_field);
            }
        }
        std::fill_n(to, 6 * rows, FaultPack{});
        for (const TraceEntry& entry : at.trace) {
            if (entry.row >= rows) break;
            if (entry.column >= basis) continue;
            for (int i = 0; i < 6; ++i) to[6 * entry.row + i] += entry.value * values[entry.column][i];
        }
        to += 6 * rows;
    }
    const int used = 6 * FaultRule::rows(at.order);
    const int written = (used + side_granularity - 1) / side_granularity * side_granularity;
    std::fill_n(to, written - used, FaultPack{});
    scatter<double, fault_lanes>(traces, written, at.sides);
}

}  // namespace

FaultKernels compiled_fault_kernels() {
    return {fault_lanes, fault_kernels, {look_at_fault<float>, look_at_fault<double>}};
}

}  // namespace groundswell::quake
