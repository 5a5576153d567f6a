#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/quake/device/differentiate.hpp"
#include "groundswell/quake/elements/probe_look.hpp"

namespace groundswell::quake {

/// Looks of probes at some batches of elements.
struct ProbeLooks {
    std::span<const std::int32_t> batch;  ///< [block]
    std::span<const std::int32_t> begin;  ///< [block] its first look, and the end
    std::span<const ProbeLook> looks;
    std::span<const double> basis;  ///< [ProbeLook::basis][function]
    std::span<double> seen;         ///< [look][order][quantity]
    std::int32_t first = 0;         ///< of `batch`, for the first block

    constexpr void arrays(const auto& visit) const {
        visit(batch);
        visit(begin);
        visit(looks);
        visit(basis);
        visit(seen);
    }
};

/// As Elements::evaluate for each look, one block for a batch of elements.
template <class Equation, class Real, int order>
struct ProbeOnDevice : DifferentiateOnDevice<Equation, Real, order> {
    using Base = DifferentiateOnDevice<Equation, Real, order>;
    using Base::basis, Base::lanes, Base::quantities, Base::v;
    ProbeLooks looks;

    constexpr void arrays(const auto& visit) const {
        v.arrays(visit);
        looks.arrays(visit);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t at = looks.first + block.index();
        const std::int32_t begin = looks.begin[at], values = (looks.begin[at + 1] - begin) * quantities;
        Base::for_each_derivative(block, looks.batch[at], [&](int k, const Real* derivative) {
            block.lanes(values, [&](int i) {
                const std::int32_t which = begin + i / quantities, q = i % quantities;
                const ProbeLook look = looks.looks[which];
                const double* const at_place =
                    looks.basis.data() + static_cast<std::size_t>(look.basis) * basis;
                const Real* const from = derivative + q * lanes + look.element;
                double sum = 0.0;
                for (int b = 0; b < basis_size(order - k); ++b)
                    sum += at_place[b] * static_cast<double>(from[b * quantities * lanes]);
                looks.seen[(static_cast<std::size_t>(which) * order + k) * quantities + q] = sum;
            });
        });
    }
};

}  // namespace groundswell::quake
