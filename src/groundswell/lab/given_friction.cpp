#include "groundswell/lab/given_friction.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/lab/given_forcing.hpp"
#include "groundswell/quake/case.hpp"

namespace groundswell::lab {

namespace {

class Given final : public quake::GivenFriction {
public:
    Given(const quake::LawDescription& law, const gs_simulation_hooks& hooks) : hooks_(hooks) {
        for (const quake::LawParameter& each : law.at_places) names_ += fmt::format("{} ", each.name);
    }

    void change(const quake::FrictionPoints& at) noexcept override {
        if (failed_) return;
        const double *const x = at.place, *const y = x + at.count, *const z = y + at.count;
        const gs_friction_points points{
            at.count,  at.time,      at.length,      x,        y,          z, at.slip, at.rate,
            at.normal, at.parameter, names_.c_str(), at.state, at.friction};
        try {
            call_back(hooks_.friction, hooks_.context, &points);
        } catch (const base::RunFailure& failure) {
            const std::scoped_lock lock(mutex_);
            if (!problem_) problem_ = failure;
            failed_ = true;
        }
    }
    void tell() const override {
        if (problem_) throw base::RunFailure(*problem_);
    }

private:
    gs_simulation_hooks hooks_;
    std::string names_;
    std::mutex mutex_;
    std::atomic<bool> failed_ = false;
    std::optional<base::RunFailure> problem_;  // the first
};

}  // namespace

void give_friction(simulation::Case& run, const gs_simulation_hooks& hooks) {
    if (hooks.friction == nullptr) return;
    auto* const quake = dynamic_cast<quake::Case*>(&run);
    base::require(quake != nullptr && quake->fault, run.file, "model", run.model,
                  "a case of the earthquake model with a [fault], whose friction may be given by a function");
    const quake::LawDescription* const law = quake::find_law(quake->fault->law);
    std::string fitting;
    for (const quake::LawDescription& each : quake::friction_laws())
        if (each.takes_function) fitting += fmt::format("{}{}", fitting.empty() ? "" : ", ", each.name);
    base::require(law->takes_function, run.file, "fault.law", law->name,
                  fmt::format("one whose friction a function may give: {}", fitting));
    quake->fault->given = std::make_shared<Given>(*law, hooks);
}

}  // namespace groundswell::lab
