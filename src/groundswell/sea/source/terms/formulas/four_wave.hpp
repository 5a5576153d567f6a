#pragma once

#include <algorithm>

#include "groundswell/sea/source/formulas/four_wave_stages.hpp"
#include "groundswell/sea/source/formulas/shallow_water.hpp"

namespace groundswell::sea::terms {

/// Resonant four-wave interaction by the discrete interaction approximation (Hasselmann et al. 1985,
/// doi:10.1175/1520-0485(1985)015<1378:CAPOTN>2.0.CO;2, section 5; manual of WAVEWATCH III 7.14, eqs. 2.20 to 2.26): every bin (f, θ) exchanges energy with
/// f₊ = (1+λ)f and f₋ = (1-λ)f, on opposite sides of θ at 11.48° and 33.56° for λ = 0.25, and with the mirror
/// image. In shallow water all rates are scaled by four_wave_depth_factor().
struct FourWaveFormula : FourWaveNumbers {
    static constexpr Partner partner = Partner::waves;
    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        const Real scale = static_cast<Real>(four_wave_depth_factor(sea.mean_wave_number, sea.depth));
        if constexpr (Team::alone)
            team.with_count(g.directions, [&]<class Count>(Count) {
                const RegistersOfRow<Count> places(circular_rows<Team>(g, reach()));
                add_row_by_row(places, stages<Team, RegistersOfRow<Count>>(g, sea, sum, work), g, scale);
            });
        else
            add_side_by_side(team, stages<Team, PlaceOfRow>(g, sea, sum, work), g, scale);
    }
    template <class Team>
    constexpr int scratch_size(const LaneTables& g) const {
        return memory<Team>(g).size();
    }
    static constexpr void arrays(auto& formula, const auto& visit) {
        visit(formula.strength);
        visit(formula.tail);
    }

private:
    static constexpr int rows_at_once(const LaneTables& g) { return std::max(192 / g.directions, 1); }
    template <class Team>
    constexpr FourWaveMemory memory(const LaneTables& g) const {
        const int many = Team::alone ? 1 : rows_at_once(g);
        return {*this, circular_rows<Team>(g, reach()), many, Team::alone ? 2 : many};
    }
    template <class Team, class Places>
    constexpr FourWaveStages<Places> stages(const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                                            const CellWork& work) const {
        return {*this, memory<Team>(g), g, sea, sum, work.scratch};
    }

    // Each stage works on another row than the next: what was just written is slow to read at another place.
    template <class Places>
    constexpr void add_row_by_row(const Places& places, const FourWaveStages<Places>& stages,
                                  const LaneTables& g, Real scale) const {
        const int rows = g.frequencies + down;
        std::fill_n(stages.zero_row(), g.lanes, Real(0));
        stages.mix(places, 0, 0);
        for (int i = 0; i <= rows; ++i) {
            if (i + 1 < rows) stages.mix(places, i + 1, (i + 1) & 1);
            if (i < rows) stages.interact(places, i, i & 1, scale);
            if (i > 0) stages.share(places, i - 1, (i - 1) & 1);
            if (i > down) stages.gather(places, i - 1 - down);
        }
    }
    // Each stage for many rows, bin beside bin.
    template <class Team>
    constexpr void add_side_by_side(const Team& team, const FourWaveStages<PlaceOfRow>& stages,
                                    const LaneTables& g, Real scale) const {
        const int rows = g.frequencies + down, many = rows_at_once(g);
        const auto deal = [&](int first, const auto& stage) {
            for_bins(team, first, std::min(first + many, rows), circular_rows<Team>(g, reach()),
                     [&](int row, const PlaceOfRow& at) { stage(at, row, row - first); });
        };
        const auto mix = [&](const PlaceOfRow& at, int row, int slot) { stages.mix(at, row, slot); };
        team.sync();
        team.columns(g.directions, [&](int j) { stages.zero_row()[j] = 0; });
        team.sync();
        deal(0, mix);
        for (int first = 0; first < rows + many; first += many) {
            team.sync();
            deal(first,
                 [&](const PlaceOfRow& at, int row, int slot) { stages.interact(at, row, slot, scale); });
            // Those rows whose last givers were shared out before.
            deal(first - many, [&](const PlaceOfRow& at, int row, int) {
                if (row >= down) stages.gather(at, row - down);
            });
            team.sync();
            deal(first, [&](const PlaceOfRow& at, int row, int slot) { stages.share(at, row, slot); });
            deal(first + many, mix);
        }
    }
};

}  // namespace groundswell::sea::terms
