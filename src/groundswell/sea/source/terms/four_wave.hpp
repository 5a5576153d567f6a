#pragma once

#include <memory>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Resonant four-wave interaction by the discrete interaction approximation (Hasselmann et al. 1985,
/// doi:10.1175/1520-0485(1985)015<1378:CAPOTN>2.0.CO;2, section 5): every bin (f, θ) exchanges energy with
/// f₊ = (1+λ)f and f₋ = (1-λ)f, on opposite sides of θ at 11.48° and 33.56° for λ = 0.25, and with the mirror
/// image. In shallow water all rates are scaled by R(¾ k̄d), R(x) = 1 + 5.5/x (1 - 5x/6) exp(-5x/4) (same
/// paper, after Herterich & Hasselmann 1980). Above the last frequency E continues as f⁻⁵, below the first it
/// is 0.
///
/// Because the frequencies form a geometric series, shifts and weights are the same for every bin. Row by row of frequencies:
/// what the rows around f₊ and f₋ hold is mixed; every bin of the row finds what it passes on; that is shared out over the
/// directions on both sides, into a ring of a few rows; and a row of the sum gathers from these, bin beside bin. Each stage
/// works on another row than the next: what was just written is slow to read at another place.
class FourWave : public SourceTerm {
public:
    FourWave(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "four_wave"; }
    std::size_t scratch_size() const override;
    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

    /// R of the shallow-water scaling.
    static double depth_factor(double mean_wave_number, double depth);

private:
    // Rows that stand between copies of their other ends, two of each: one is read while the other is written. For both mirror
    // images: what a bin passes on, and its derivatives by E₊ and E₋.
    enum Framed {
        mixed_plus,
        mixed_minus,
        transfer,
        plus_derivative = transfer + 2,
        minus_derivative = plus_derivative + 2,
        framed_rows = minus_derivative + 2
    };
    // Rows of the ring: the bin's own loss, and what reaches the rows of f₊ and f₋, each with its derivative.
    enum Kept { own, own_rate, gained_plus, plus_rate, gained_minus, minus_rate, kept_rows };

    // The stages, for rows of so many registers (lanes::Count).
    template <class Count>
    void add_rows(const SeaCell& sea, Real scale, SourceSum& sum, Real* memory) const;
    template <class Count>
    void mix(const SeaCell& sea, int row, Real* memory) const;
    template <class Count>
    void mix_rows(const SeaCell& sea, int row, Real first, Real second, Real* result) const;
    template <class Count>
    void interact(const SeaCell& sea, int row, Real scale, Real* memory) const;
    template <class Count>
    void share(int row, Real* memory) const;
    template <class Count>
    void gather(int row, SourceSum& sum, Real* memory) const;
    const Real* spectrum_row(const SeaCell& sea, int row, Real& factor) const {
        const int last = grid_->frequencies - 1;
        factor = row > last ? tail_[row - last] : Real(1);
        if (row < 0) return zero_.data();
        return sea.energy + static_cast<std::ptrdiff_t>(row < last ? row : last) * grid_->lanes;
    }
    // Row `row` of a kind, in the memory that the workspace lends.
    Real* framed(Real* memory, int kind, int row) const {
        return memory + (2 * kind + (row & 1)) * pitch_ + margin_;
    }
    Real* kept(Real* memory, int kind, int row) const {
        return memory + 2 * framed_rows * pitch_ + (kind * ring_ + row % ring_) * grid_->lanes;
    }

    std::shared_ptr<const LaneGrid> grid_;
    int up_, down_;              ///< f₊ lies between rows i + up_ and the next, f₋ from i - down_ upward
    Real up_first_, up_second_;  ///< weights of those two rows
    Real down_first_, down_second_;  ///< the same for f₋
    int plus_shift_, minus_shift_;   ///< angles in whole directions, rounded down
    Real plus_first_, plus_second_;  ///< weights of that direction and the next
    Real minus_first_, minus_second_;
    Real plus_scale_, minus_scale_;  ///< (1+λ)⁻⁴, (1-λ)⁻⁴
    int reach_, margin_, pitch_, ring_;
    int used_;                    ///< directions rounded up to whole registers
    exec::Array<Real> strength_;  ///< [frequencies + down_] C g⁻⁴ f¹¹
    exec::Array<Real> tail_;      ///< [up_ + down_ + 2] ratio⁻⁵ⁿ
    exec::Array<Real> zero_;      ///< [pitch_] an empty row
};

}  // namespace groundswell::sea
