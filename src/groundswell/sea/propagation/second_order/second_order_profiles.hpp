#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "groundswell/sea/lane_blocks.hpp"
#include "groundswell/sea/propagation/second_order/formulas.hpp"
#include "groundswell/sea/propagation/second_order/second_order_workspace.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Second-order profiles at the faces of images, as Propagator::use_images() and keep_half_profiles() say it.
class ImageProfiles {
public:
    /// M at half time, its gradient towards east and north.
    static constexpr int fields = 3;
    /// Rows of a slot for one frequency.
    using Rows = std::array<Real*, fields>;

    explicit ImageProfiles(const SpectralGrid& grid) : directions_(grid.directions), stride_(grid.stride()) {}

    void use(std::int32_t first, Real* profiles) {
        first_ = first;
        profiles_ = profiles;
    }
    void keep_half(std::span<const std::int32_t> image_of_cell, bool add) {
        image_of_cell_ = image_of_cell;
        add_ = add;
    }
    bool is_image(std::int32_t cell) const { return cell >= first_; }

    void read(std::int32_t image, int frequency, const Rows& to) const {
        for_each_row(image, frequency, to, [](Real& of_image, Real& of_slot) { of_slot = of_image; });
    }
    void write(std::int32_t image, int frequency, const Rows& from) const {
        for_each_row(image, frequency, from, [](Real& of_image, Real& of_slot) { of_image = of_slot; });
    }
    /// Where the owned cell has an image that is to be kept.
    void keep_half_of(std::int32_t cell, int frequency, const Rows& from) const {
        if (image_of_cell_.empty() || image_of_cell_[cell] < 0) return;
        const auto set = [](Real& of_image, Real& of_slot) { of_image = Real(0.5) * of_slot; };
        const auto add = [](Real& of_image, Real& of_slot) { of_image += Real(0.5) * of_slot; };
        if (add_)
            for_each_row(image_of_cell_[cell], frequency, from, add);
        else
            for_each_row(image_of_cell_[cell], frequency, from, set);
    }

private:
    template <class Act>
    void for_each_row(std::int32_t image, int frequency, const Rows& rows, const Act& act) const {
        Real* of_image = profiles_ + static_cast<std::size_t>(image - first_) * fields * stride_ +
                         static_cast<std::size_t>(frequency * directions_);
        for (Real* const row : rows) {
            for (int d = 0; d < directions_; ++d) act(of_image[d], row[d]);
            of_image += stride_;
        }
    }

    int directions_;
    std::size_t stride_;
    std::int32_t first_ = std::numeric_limits<std::int32_t>::max();
    Real* profiles_ = nullptr;
    std::span<const std::int32_t> image_of_cell_;  // empty: none is kept
    bool add_ = false;
};

/// The limited linear profile of M in each bin at the middle of a step, for registers of them. `flows`: with a current.
template <bool flows>
class SecondOrderProfiles {
protected:
    explicit SecondOrderProfiles(const PropagationTables& tables)
        : t_(tables), turn_x_(tables.direction_stride), turn_y_(tables.direction_stride) {
        for (int d = -lanes::table_width; d < t_.direction_stride; ++d) {
            turn_x_.data()[d] = t_.turn_upper_x.data()[d] + t_.turn_lower_x.data()[d];
            turn_y_.data()[d] = t_.turn_upper_y.data()[d] + t_.turn_lower_y.data()[d];
        }
    }

    /// Profiles of a block of bins, the first one (f, d). `fixed_edges`: 0, or as many as there are.
    template <class Block, int fixed_edges>
    __attribute__((always_inline)) void make_profile(const SecondOrderProfile& p, int f, int d) const {
        using Lane = typename Block::Lane;
        const int edges = fixed_edges > 0 ? fixed_edges : p.edges, n = t_.grid.directions, bin = f * n + d;
        const Real* const invariant = p.invariant + (f - p.first) * p.row_stride + d;
        BinSurroundings<Lane> bins[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r)
            bins[r].m = Block::load(Block::start(invariant, r), p.row_stride);
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = p.edge[e];
            const Lane ratio = Block::each(edge.ratio + f);
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r)
                bins[r].add_neighbour(ratio, Block::load(edge.state + Block::start(bin, r), n),
                                      edge.gradient_x, edge.gradient_y);
        }
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = p.edge[e];
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) bins[r].add_edge(edge.half_x, edge.half_y);
        }
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) finish<Block>(p, f, Block::start(d, r), bins[r]);
    }

    const PropagationTables& t_;

private:
    // Makes the profiles of a register.
    template <class Block, class Lane>
    __attribute__((always_inline)) void finish(const SecondOrderProfile& p, int f, int d,
                                               const BinSurroundings<Lane>& bins) const {
        const Real* const invariant = p.invariant + (f - p.first) * p.row_stride + d;
        const BinNumbers<Lane> numbers{
            Block::load(invariant - 1, p.row_stride),
            Block::load(invariant + 1, p.row_stride),
            Block::each(p.central + f),
            Block::each(p.travel + f),
            Block::each(p.excess + f),
            lanes::multiply_add(Block::each(p.turn_x + f), Block::same(turn_x_.data() + d),
                                Block::each(p.turn_y + f) * Block::same(turn_y_.data() + d)),
            Block::same(t_.cosine.data() + d),
            Block::same(t_.sine.data() + d),
            p.reach,
            p.travel_x,
            p.travel_y};
        const BinProfile<Lane> profile = profile_of<flows>(bins, numbers, t_.options.limiter);
        constexpr int fields = SecondOrderWorkspace::fields;
        const Lane result[fields] = {profile.half, profile.gradient_x, profile.gradient_y,
                                     profile.gradient_direction};
        Real* const rows = p.fields + (f - p.first) * fields * p.row_stride;
#pragma GCC unroll 4
        for (int field = 0; field < fields; ++field) {
            Real* const row = rows + field * p.row_stride;
            if constexpr (Block::rows > 1)
                Block::store_rows(row + d, fields * p.row_stride, result[field]);
            else
                lanes::store(row + d, result[field]);
        }
    }

    DirectionTable turn_x_, turn_y_;  // of both sides of a bin together
};

}  // namespace groundswell::sea
