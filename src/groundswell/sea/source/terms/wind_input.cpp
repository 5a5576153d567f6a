#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/formulas/air_sea.hpp"
#include "groundswell/sea/source/formulas/cutoff.hpp"
#include "groundswell/sea/source/formulas/swell_dissipation.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

namespace {

using lanes::Lane, lanes::load;

// The wind that one frequency feels, and how strongly.
struct FrequencyWind {
    Real age;         // u*/c, with the shift where the growth has it
    Real reciprocal;  // κ/(u*/c + zα)
    Real log_kz0;     // ln(k z0)
    Real strength;    // σ (ρa/ρw) βmax/κ²
};

struct RowSums {
    Real fed, x, y;  // Σ of E where the wind feeds it, of β E cos, of β E sin
};

// Waves that travel with the wind or across it by more than this, as a cosine, can grow.
constexpr Real least_along = Real(0.01);

// The cosine of each direction to the wind and its reciprocal; where waves cannot grow, one so large that no exponent is below
// 0. Returns the least reciprocal of all.
Real align(int used, Real wind_x, Real wind_y, const LaneGrid& g, Real* along, Real* reciprocal) {
    Lane least = lanes::broadcast(Real(1e30));
    for (int j = 0; j < used; j += lanes::width) {
        const Lane cosine =
            lanes::multiply_add(wind_x, load(g.cosine.data() + j), wind_y * load(g.sine.data() + j));
        const Lane inverse = cosine > least_along ? 1 / cosine : lanes::broadcast(Real(1e30));
        lanes::store(along + j, cosine);
        lanes::store(reciprocal + j, inverse);
        least = lanes::minimum(inverse, least);
    }
    Real all[lanes::width];
    lanes::store(all, least);
    return *std::min_element(all, all + lanes::width);
}

// Growth rates of one frequency, and their sums.
template <class Count>
RowSums grow_row(int used, const FrequencyWind& wind, const Real* energy, const Real* along,
                 const Real* reciprocal, const LaneGrid& g, Real* rate) {
    lanes::RowSum fed, x, y;
    for (int i = 0; i < Count::of(used); ++i) {
        const int j = i * lanes::width;
        const Lane exponent =
            lanes::multiply_add(wind.reciprocal, load(reciprocal + j), lanes::broadcast(wind.log_kz0));
        const auto grows = exponent < 0;
        // Whole registers of directions look into the wind.
        if (!lanes::any(grows)) {
            lanes::store(rate + j, Lane{});
            continue;
        }
        const Lane root = exponent * exponent * (wind.age * load(along + j));
        const Lane beta =
            exec::lanes::exp_of_each(lanes::minimum(exponent, Lane{})) * (root * root) * wind.strength;
        const Lane growth = grows ? beta : Lane{}, here = load(energy + j), flux = growth * here;
        lanes::store(rate + j, growth);
        fed.add(j, grows ? here : Lane{});
        x.add_product(j, flux, load(g.cosine.data() + j));
        y.add_product(j, flux, load(g.sine.data() + j));
    }
    return {fed.total(), x.total(), y.total()};
}

}  // namespace

/// Growth of waves by wind, and decay of waves that outrun it.
///
/// S = β E, β = σ (ρa/ρw) (βmax/κ²) Z⁴ e^Z (u*/c)² max(cos, 0)² where Z = ln(k z0) + κ/((u*/c + zα) cos) < 0
/// (Janssen 1991, as modified by Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1, section 2),
/// less the swell dissipation. The stress that the waves support reduces what shorter waves feel (sheltering,
/// same section), and sets friction velocity and roughness. Within a step: u* from the stress of the step
/// before, growth, new stress, u* again, growth again; the stress then found is kept for the next step.
class WindInput : public WindTerm {
public:
    static constexpr auto growth_shift = Coefficient(
        "growth_shift", 0.0, 0, 1, "", "share of z_alpha in the factor (u*/c)^2 of the growth too",
        "WAVEWATCH III 7.14, ST4: 1; ecWAM: 0");
    static constexpr auto sheltering =
        Coefficient("sheltering", 0.0, 0, 1, "",
                    "s_u, share of the stress of longer waves taken from shorter ones", AirSea::ardhuin);
    static constexpr std::array coefficients{growth_shift, sheltering};

    WindInput(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "wind_input"; }
    std::size_t scratch_size() const override;
    void meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const override;
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    struct Stress {
        double x, y;
    };
    void update_wind(SeaCell& sea, SourceState& state) const;
    Stress grow(SeaCell& sea, SourceWorkspace& workspace) const;
    // f⁵ ∫E(f, θ) max(cos, 0)³ dθ at the cutoff, m² s⁻⁴.
    double tail_level(const SeaCell& sea) const;

    std::shared_ptr<const LaneGrid> grid_;
    AirSea air_;
    SwellDissipation swell_;
    Cutoff cutoff_;
    double density_ratio_;
    Real growth_, shift_, growth_shift_, sheltering_;
    int used_;  ///< directions rounded up to whole registers
};

WindInput::WindInput(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(grid),
      air_(options),
      swell_(grid, options),
      cutoff_(options),
      density_ratio_(options[common::air_density] / options[common::water_density]),
      growth_(static_cast<Real>(options[AirSea::growth] / (base::von_karman * base::von_karman) *
                                density_ratio_)),
      shift_(static_cast<Real>(options[AirSea::wave_age_shift])),
      growth_shift_(static_cast<Real>(options[growth_shift] * options[AirSea::wave_age_shift])),
      sheltering_(static_cast<Real>(options[sheltering])),
      used_(round_up(grid->directions, lanes::width)) {}

std::size_t WindInput::scratch_size() const {
    return 2 * static_cast<std::size_t>(grid_->lanes);
}

void WindInput::update_wind(SeaCell& sea, SourceState& state) const {
    const double stress = static_cast<double>(state.wave_stress_x) * sea.wind_x +
                          static_cast<double>(state.wave_stress_y) * sea.wind_y;
    const AirSea::Result air = air_.solve(sea.wind_speed, stress, state.friction_velocity);
    state.friction_velocity = static_cast<Real>(air.friction_velocity);
    state.roughness = static_cast<Real>(air.roughness);
    state.charnock = static_cast<Real>(air.charnock);
    sea.friction_velocity = state.friction_velocity;
}

double WindInput::tail_level(const SeaCell& sea) const {
    const LaneGrid& g = *grid_;
    const Real *cosine = g.cosine.data(), *sine = g.sine.data();
    const auto level = [&](int i) {
        const Real* row = sea.energy + static_cast<std::ptrdiff_t>(i) * g.lanes;
        lanes::RowSum sum;
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane bounded = lanes::positive_part(
                lanes::multiply_add(sea.wind_x, load(cosine + j), sea.wind_y * load(sine + j)));
            sum.add_product(j, load(row + j) * bounded, bounded * bounded);
        }
        const double f = g.frequency[i];
        return static_cast<double>(sum.total()) * g.direction_width * f * f * f * f * f;
    };
    const double part = sea.cutoff_part;
    return part > 0.0 ? (1.0 - part) * level(sea.cutoff) + part * level(sea.cutoff + 1) : level(sea.cutoff);
}

WindInput::Stress WindInput::grow(SeaCell& sea, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    Real* log_kz0 = workspace.column_a.data();
    Real* fed = workspace.column_b.data();
    Real* flux_x = workspace.column_c.data();
    Real* flux_y = workspace.column_d.data();
    const Real roughness = sea.state->roughness;
#pragma omp simd
    for (int i = 0; i < g.frequency_lanes; ++i) log_kz0[i] = exec::lanes::log(sea.wave_number[i] * roughness);

    const Real u = sea.friction_velocity;
    // ρw g/ρa · k/σ · Δf Δθ turns β E into kinematic stress.
    const Real to_stress = static_cast<Real>(base::gravity / density_ratio_) * g.direction_width;
    FrequencyWind wind{};
    Real felt = u;
    Real* const along = workspace.scratch.data();
    Real* const reciprocal = along + g.lanes;
    Real least_reciprocal = align(used_, sea.wind_x, sea.wind_y, g, along, reciprocal);
    Real taken_x = 0, taken_y = 0;
    for (int i = 0; i < g.frequencies; ++i) {
        if (sheltering_ > Real(0)) {
            const Real x = u * u * sea.wind_x - sheltering_ * taken_x;
            const Real y = u * u * sea.wind_y - sheltering_ * taken_y;
            const Real left = std::sqrt(x * x + y * y);
            felt = std::sqrt(left);
            if (left > Real(0)) least_reciprocal = align(used_, x / left, y / left, g, along, reciprocal);
        }
        const Real age = felt * sea.inverse_phase_speed[i];
        wind.age = age + growth_shift_;
        wind.reciprocal = static_cast<Real>(base::von_karman) / (age + shift_);
        wind.log_kz0 = log_kz0[i];
        wind.strength = g.sigma[i] * growth_;
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        Real* const rate = workspace.growth.data() + row;
        RowSums sums{};
        if (lanes::multiply_add(wind.reciprocal, least_reciprocal, wind.log_kz0) >= 0) {
            std::fill_n(rate, used_, Real(0));  // waves outrun the wind in all directions
        } else {
            lanes::with_count(used_, [&]<class Count>(Count) {
                sums = grow_row<Count>(used_, wind, sea.energy + row, along, reciprocal, g, rate);
            });
        }
        fed[i] = sums.fed * g.direction_width;
        const Real scale = to_stress * sea.inverse_phase_speed[i];
        flux_x[i] = sums.x * scale;
        flux_y[i] = sums.y * scale;
        taken_x += flux_x[i] * g.width[i];
        taken_y += flux_y[i] * g.width[i];
    }
    cutoff_.find(g, fed, sea);

    // Resolved waves up to the cutoff, by the trapezoidal rule, then the tail.
    const int last = g.frequencies - 1;
    const double part = sea.cutoff_part;
    double x = 0, y = 0;
    for (int i = 0; i <= std::min(sea.cutoff + 1, last); ++i) {
        const double weight =
            sea.cutoff == last || i < sea.cutoff ? 1.0 : (i == sea.cutoff ? 0.5 + 0.5 * part : 0.5 * part);
        x += weight * flux_x[i] * g.width[i];
        y += weight * flux_y[i] * g.width[i];
    }
    double direction_x = sea.wind_x, direction_y = sea.wind_y, speed = u;
    if (sheltering_ > Real(0)) {
        const double left_x = static_cast<double>(u) * u * sea.wind_x - sheltering_ * x;
        const double left_y = static_cast<double>(u) * u * sea.wind_y - sheltering_ * y;
        const double left = std::max(std::sqrt(left_x * left_x + left_y * left_y), 1e-10);
        direction_x = left_x / left;
        direction_y = left_y / left;
        speed = std::sqrt(left);
    }
    const double tail =
        air_.short_wave_stress(speed, sea.state->roughness, cutoff_frequency(g, sea), tail_level(sea));
    x += tail * direction_x;
    y += tail * direction_y;
    const double total = std::sqrt(x * x + y * y);
    const double most = AirSea::largest_share * u * u;
    const double scale = total > most ? most / total : 1.0;
    return {x * scale, y * scale};
}

void WindInput::meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const {
    for (int pass = 0; pass < 2; ++pass) {
        update_wind(sea, state);
        const Stress stress = grow(sea, workspace);
        state.wave_stress_x = static_cast<Real>(stress.x);
        state.wave_stress_y = static_cast<Real>(stress.y);
    }
}

void WindInput::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    Real* constant = workspace.column_a.data();
    Real* aligned = workspace.column_b.data();
    swell_.rates(sea, sea.friction_velocity, sea.state->roughness, constant, aligned);
    const Real *cosine = g.cosine.data(), *sine = g.sine.data();
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* const energy = sea.energy + row;
        const Real* const growth_row = workspace.growth.data() + row;
        Real* const source = sum.source + row;
        Real* const derivative = sum.derivative + row;
        const Real base = constant[i], slope = aligned[i];
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane along = lanes::multiply_add(sea.wind_x, load(cosine + j), sea.wind_y * load(sine + j));
            const Lane rate =
                load(growth_row + j) - lanes::multiply_add(slope, along, lanes::broadcast(base));
            lanes::store(source + j, lanes::multiply_add(rate, load(energy + j), load(source + j)));
            lanes::store(derivative + j, load(derivative + j) + rate);
        }
    }
}

SourceTermKind wind_input() {
    return describe<WindInput>(
        "wind_input",
        {AirSea::coefficients, WindInput::coefficients, SwellDissipation::coefficients, Cutoff::coefficients},
        10);
}

}  // namespace groundswell::sea::terms
