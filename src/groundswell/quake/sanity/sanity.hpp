#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/sanity/energy_budget.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

/// Looks at the wave field between steps, and ends a run that is no longer sound: whose values are no numbers, whose rock or
/// faults move faster than anything could drive them, or whose energy is more than it had and was given.
template <class Real>
class Sanity {
public:
    /// `domain` outlives it.
    Sanity(MPI_Comm comm, std::string mesh, const StepLimit& step, const Domain& domain)
        : comm_(comm), mesh_(std::move(mesh)), step_(step), domain_(domain) {}

    /// Rock in there, and two elements around, may be as fast as it likes.
    void expect_sources(const Extent& extent) { sources_.push_back(extent); }
    /// The field as it is at the start, or where a restart goes on. Collective.
    void begin(const Wavefield<Real>& field);
    /// After `steps` steps of the model. May throw base::RunFailure on one rank alone. Collective.
    void check(const Wavefield<Real>& field, std::int64_t steps);
    /// At the end of a run, however few its steps. As check(). Collective.
    void check_energy(const Wavefield<Real>& field);

private:
    void check_values(const Wavefield<Real>& field) const;
    void check_slip(const Wavefield<Real>& field) const;
    void judge(const Wavefield<Real>& field, double excess);
    bool is_at_source(std::int32_t cell) const;
    std::string place_of(std::int32_t cell, const Wavefield<Real>& field) const;
    std::string likely_cause(std::int32_t cell) const;

    MPI_Comm comm_;
    std::string mesh_;  // its name, for people
    StepLimit step_;
    const Domain& domain_;
    std::vector<Extent> sources_;
    double fastest_rock_ = 0.0, fastest_slip_ = 0.0;  // m s⁻¹, that is believed
    EnergyBudget at_start_, last_;
    std::vector<double> of_cells_, before_;  // J, at this look and at the one before
    double balance_ = 0.0;                   // J, what was held and not given, at the look where it was least
    double greatest_ = 0.0;                  // J, the most that was held
    double moved_ = 0.0;                     // J, that has come or gone by sources, faults and yielding
    double creep_ = 0.0;                     // W, that faults may give in whatever they do
    double since_ = 0.0;                     // s, when this began
    bool has_told_ = false;
};

}  // namespace groundswell::quake
