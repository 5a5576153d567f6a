#pragma once

#include <cstddef>
#include <string_view>

#include "groundswell/sea/source/lane_grid.hpp"

namespace groundswell::sea {

class SourceWorkspace;
struct TermFormulas;

/// State that the source terms keep for a cell from one step to the next; part of the restart.
/// "Kinematic" stresses are divided by the density of air.
struct SourceState {
    Real friction_velocity = 0;  ///< u*, m s⁻¹; 0 before the first step
    Real roughness = 0;          ///< z0, m
    Real charnock = 0;           ///< g z0 / u*², dimensionless
    Real wave_stress_x = 0;      ///< kinematic wave-supported stress towards east, m² s⁻²
    Real wave_stress_y = 0;      ///< the same towards north
};

/// Conditions of a cell during a source step.
struct CellConditions {
    Real wind_speed = 0;          ///< U10, m s⁻¹, ≥ 0
    Real wind_x = 1, wind_y = 0;  ///< unit vector that the wind blows along, from the cell's east and north
    Real depth = 0;               ///< m, > 0
    const Real* wave_number = nullptr;  ///< [frequencies] k, rad m⁻¹
    const Real* group_speed = nullptr;  ///< [frequencies] cg, m s⁻¹
};

/// One cell as the source terms see it. Rows over directions have `lanes` values, columns over frequencies
/// `frequency_lanes`; energy is 0 in the padding of rows.
struct SeaCell {
    const Real* energy;                     ///< [f][lanes] variance density E(f, θ), m² s rad⁻¹, ≥ 0
    const Real* row_energy;                 ///< [f] ∫ E dθ, m² s
    const Real *wave_number, *group_speed;  ///< [f] rad m⁻¹, m s⁻¹; 1 in the padding
    const Real* inverse_phase_speed;        ///< [f] k/σ, s m⁻¹
    Real depth;                             ///< m
    Real step;                              ///< s, that the sum will be integrated over
    Real wind_speed;                        ///< m s⁻¹
    Real wind_x, wind_y;                    ///< unit vector that the wind blows along

    Real variance;                ///< m0 with the f⁻⁵ tail beyond the last frequency, m²
    Real mean_frequency;          ///< m0/m-1, Hz
    Real first_moment_frequency;  ///< m1/m0, Hz
    Real mean_wave_number;        ///< (m0 / ∫ E k^-1/2)², rad m⁻¹

    // Found by the wind input before any term adds.
    Real friction_velocity;       ///< u*, m s⁻¹
    Real windsea_mean_frequency;  ///< m0/m-1 of the bins that the wind feeds, Hz; 0 without any
    int cutoff;                   ///< last frequency index that is prognostic as a whole
    Real cutoff_part;             ///< share in which the one above is, [0, 1); the tail beyond is diagnostic
    const SourceState* state;     ///< of now
};

/// The frequency (Hz) up to which the cell's spectrum is prognostic.
constexpr double cutoff_frequency(const LaneTables& grid, const SeaCell& sea) {
    const int above = sea.cutoff + 1 < grid.frequencies ? sea.cutoff + 1 : sea.cutoff;
    return grid.frequency[sea.cutoff] +
           static_cast<double>(sea.cutoff_part) * (grid.frequency[above] - grid.frequency[sea.cutoff]);
}

/// Sums over the terms; the padding of rows may hold anything. S and its derivative go through the
/// semi-implicit integration and the growth limiter; `decay` is for terms that are a plain linear decay the
/// same for all directions of a frequency: it is integrated exactly, E·exp(-decay·Δt), and not limited.
struct SourceSum {
    Real* source;      ///< [f][lanes] S, m² rad⁻¹
    Real* derivative;  ///< [f][lanes] the diagonal ∂S/∂E, s⁻¹
    Real* decay;       ///< [f] s⁻¹, ≥ 0
};

/// Memory of a cell for the term at work, and what terms leave there for others.
struct CellWork {
    Real *column_a, *column_b, *column_c, *column_d;  ///< [f] for the term at work
    Real*
        growth;  ///< [f][lanes] positive wind growth rate, s⁻¹; 0 where the wind does not feed. Of the wind input
    Real* saturation;  ///< [f][lanes] of the whitecapping
    Real* scratch;     ///< as the term at work lays it out
};

/// All memory that a cell needs while it is at work.
struct CellMemory {
    Real* energy;  ///< as in SeaCell, here and below
    Real* row_energy;
    Real *wave_number, *group_speed, *inverse_phase_speed;
    SourceSum sum;
    CellWork work;
    Real* whole;  ///< [bins] action at the start of a step that is taken in parts
    SeaCell* sea;
    SourceState *state, *before;  ///< of now, and at the start of the step
};

/// Giver of a term's energy and momentum to the waves, or taker of them.
enum class Partner { waves, air, water, bottom };

/// One source term: constants in the constructor, called per cell from many threads at once, so `add` changes
/// nothing but the sum and the workspace; it allocates nothing and knows no mesh. Terms add in any order.
class SourceTerm {
public:
    virtual ~SourceTerm() = default;
    /// The name in the case file, the profile and the message when a number goes wrong.
    virtual std::string_view name() const = 0;
    virtual Partner partner() const { return Partner::water; }
    /// Values of `SourceWorkspace::scratch` that `add` uses.
    virtual std::size_t scratch_size() const { return 0; }
    virtual void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const = 0;
    /// Appends what a device needs to compute the term; false if there is no such form.
    virtual bool give_formula(TermFormulas& /*formulas*/) const { return false; }
};

/// A wind input: the one term of a run, if it has any, that knows how the air meets the sea.
class WindTerm : public SourceTerm {
public:
    Partner partner() const override { return Partner::air; }
    /// Before any term adds: finds friction velocity, roughness and stress of the waves, which are kept for the next step in
    /// `state`, and of the cell the friction velocity, the wind sea's mean frequency and the cutoff. What it leaves in
    /// SourceWorkspace::growth is there when it adds.
    virtual void meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const = 0;
};

}  // namespace groundswell::sea
