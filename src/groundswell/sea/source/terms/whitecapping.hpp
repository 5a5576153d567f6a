#pragma once

#include <memory>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Dissipation by breaking in deep water, from the saturation of the spectrum (Ardhuin et al. 2010,
/// doi:10.1175/2010JPO4324.1, section 2):
///   B(f, θ) = k³ cg/(2π) ∫_{θ-Δ}^{θ+Δ} cos²(θ-θ') E(f, θ') dθ',
///   S = C σ E { δ [max(0, max_θ B/B_r - 1)]² + (1-δ) [max(0, B/B_r - 1)]² }, C < 0,
/// and, where asked for, the cumulative term: waves of frequency f are wiped out by breakers of less than
/// half of f that overtake them, at the rate C_cu Σ |c - c'| Λ(k') dk' dθ', Λ dk dθ from √B - √B_r.
class Whitecapping : public SourceTerm {
public:
    Whitecapping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "whitecapping"; }
    std::size_t scratch_size() const override;
    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    void saturate(const SeaCell& sea, SourceWorkspace& workspace) const;
    void add_cumulative(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const;

    std::shared_ptr<const LaneGrid> grid_;
    Real strength_, threshold_, isotropy_, cumulative_;
    Real end_weight_;             ///< of the first and last frequency of breakers in the cumulative sum
    int reach_;                   ///< directions on each side that the sector holds, the last one in part
    exec::Array<Real> weight_;    ///< [reach_ + 1] Δθ cos² of the distance
    exec::Array<Real> distance_;  ///< [lanes] cosine of j directions
    int used_;                    ///< directions rounded up to whole registers
    int frequency_gap_;           ///< breakers are at least this many frequencies below
};

}  // namespace groundswell::sea
