#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"

/// The loops by which a device's limits are measured.
namespace groundswell::exec {

/// STREAM's triad, a = b + s·c (McCalpin 1995): a block does `piece` numbers.
struct Triad {
    std::span<double> a;
    std::span<const double> b, c;
    double s;
    int piece;

    constexpr void arrays(const auto& visit) const {
        visit(a);
        visit(b);
        visit(c);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const auto begin = static_cast<std::int64_t>(block.index()) * piece;
        double* const to = a.data() + begin;
        const double *const x = b.data() + begin, *const y = c.data() + begin;
        block.lanes(piece, [&](int i) { to[i] = x[i] + s * y[i]; });
    }
};

/// x = factor·x + addend, `rounds` times, of eight numbers a lane in registers alone.
template <class Real>
struct MultiplyAndAdd {
    static constexpr int chains = 8, operations_in_round = 2 * chains;
    std::span<Real> sums;  ///< [block][lane]
    Real factor, addend;
    int rounds, lanes;

    constexpr void arrays(const auto& visit) const { visit(sums); }
    template <class Block>
    constexpr void operator()(Block& block) const {
        Real* const sum = sums.data() + static_cast<std::int64_t>(block.index()) * lanes;
        block.lanes(lanes, [&](int lane) {
            Real x0 = addend, x1 = -addend, x2 = factor, x3 = -factor;
            Real x4 = 2 * addend, x5 = -2 * addend, x6 = 2 * factor, x7 = -2 * factor;
            for (int round = 0; round < rounds; ++round) {
                x0 = std::fma(x0, factor, addend);
                x1 = std::fma(x1, factor, addend);
                x2 = std::fma(x2, factor, addend);
                x3 = std::fma(x3, factor, addend);
                x4 = std::fma(x4, factor, addend);
                x5 = std::fma(x5, factor, addend);
                x6 = std::fma(x6, factor, addend);
                x7 = std::fma(x7, factor, addend);
            }
            sum[lane] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
        });
    }
};

/// exec::Program::entry of these; null in a program that was built without CUDA.
const void* triad_cuda_entry();
const void* multiply_and_add_cuda_entry(float);
const void* multiply_and_add_cuda_entry(double);

}  // namespace groundswell::exec
