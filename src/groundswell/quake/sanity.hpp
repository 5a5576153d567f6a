#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/quake/case.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

/// Looks at the wave field between steps: ends a run whose values are no numbers any more, and tells before that of energy
/// that grows though nothing feeds it.
template <class Real>
class Sanity {
public:
    Sanity(MPI_Comm comm, const Case& run, const Domain& domain) : comm_(comm), case_(run), domain_(domain) {}

    /// Between these times, s, others than the points of the case feed the field.
    void expect_work(double begin, double end) { work_.push_back({begin, end}); }

    /// After `steps` steps of the model. May throw base::RunFailure on one rank alone. Collective.
    void check(const Wavefield<Real>& field, std::int64_t steps);

private:
    void look_at_values(const Wavefield<Real>& field) const;
    void look_at_energy(const Wavefield<Real>& field);
    bool is_fed(double from, double to);
    std::string place_of(std::int32_t cell, const Wavefield<Real>& field) const;

    MPI_Comm comm_;
    const Case& case_;
    const Domain& domain_;
    double energy_ = -1.0, since_ = 0.0;  // J at the last look, at time since_; below 0: there was none
    double fed_ = 0.0;  // J, the most that there was when sources had last acted, or at the first look
    std::vector<double> most_;  // of each source's integral so far
    struct Span {
        double begin, end;
    };
    std::vector<Span> work_;
    bool has_told_ = false;
};

}  // namespace groundswell::quake
