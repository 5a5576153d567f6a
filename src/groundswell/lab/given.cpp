#include "groundswell/lab/given.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/case.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/forcing/entry.hpp"
#include "groundswell/sea/forcing/kind.hpp"

namespace groundswell::lab {

namespace {

class GivenLayer final : public sea::ForcingLayer {
public:
    GivenLayer(const sea::LayerPlace& place, base::Instant zero, const gs_simulation_hooks& hooks)
        : kind_(place.kind),
          longitude_(place.longitude),
          latitude_(place.latitude),
          zero_(zero),
          hooks_(hooks) {}

    // What is wrong with the function from the start is found where all ranks wait for each other.
    void open(MPI_Comm group, base::Instant start) override {
        group_ = group;
        std::array<std::vector<double>, 2> values;
        std::array<std::span<double>, 2> rows;
        for (std::size_t c = 0; c < rows.size(); ++c) {
            values[c].assign(longitude_.size(), 0.0);
            rows[c] = values[c];
        }
        apply(start, {rows.data(), kind_.components.size()});
    }

    void apply(base::Instant time, sea::ForcingValues values) override {
        parallel::LocalOutcome mine;
        try {
            set(time, values);
        } catch (...) {
            mine = parallel::outcome_of_current_exception();
        }
        // The ranks that read together throw together, and each for itself: others may not have heard.
        try {
            parallel::agree_on(group_, mine);
        } catch (const parallel::AgreedError<base::RunFailure>& failure) {
            throw base::RunFailure(failure.what());
        }
    }

private:
    void set(base::Instant time, sea::ForcingValues values) const {
        std::array<double*, 2> rows{};
        std::ranges::transform(values, rows.begin(), [](std::span<double> row) { return row.data(); });
        const std::string name(kind_.name);
        call_back(hooks_.forcing, hooks_.context, name.c_str(),
                  base::Duration{time.microseconds - zero_.microseconds}.seconds(),
                  static_cast<std::int64_t>(longitude_.size()), longitude_.data(), latitude_.data(),
                  static_cast<int>(values.size()), rows.data());
        for (const std::span<double> row : values)
            for (std::size_t i = 0; i < row.size(); ++i)
                if (!(std::abs(row[i]) <= kind_.largest))
                    throw base::RunFailure(fmt::format(
                        "forcing {}: {} at {:.4f} E {:.4f} N: expected a number not above {:g} {}", name,
                        row[i], longitude_[i] / base::degree, latitude_[i] / base::degree, kind_.largest,
                        kind_.components.front().quantity.unit));
    }

    const sea::ForcingKind& kind_;
    std::span<const double> longitude_, latitude_;
    base::Instant zero_;
    gs_simulation_hooks hooks_;
    MPI_Comm group_ = MPI_COMM_NULL;
};

class GivenEntry final : public sea::ForcingEntry {
public:
    GivenEntry(base::Instant zero, const gs_simulation_hooks& hooks) : zero_(zero), hooks_(hooks) {}
    std::string_view key() const override { return "given"; }
    std::string value() const override { return "a function"; }
    Blend blend() const override { return Blend::own; }
    std::unique_ptr<sea::ForcingLayer> make(const sea::LayerPlace& place) const override {
        return std::make_unique<GivenLayer>(place, zero_, hooks_);
    }

private:
    base::Instant zero_;
    gs_simulation_hooks hooks_;
};

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

void give_forcing(simulation::Case& run, const std::string& names, const gs_simulation_hooks& hooks) {
    std::istringstream words(names);
    for (std::string name; words >> name;) {
        auto* const sea = dynamic_cast<sea::Case*>(&run);
        base::require(sea != nullptr, run.file, "model", run.model,
                      "a case of the sea, whose forcing may be given by functions");
        const auto section = std::ranges::find_if(
            sea->forcing, [&](const sea::ForcingSection& each) { return each.kind->name == name; });
        base::require(
            section != sea->forcing.end() && !section->entries.empty(), run.file, name, "",
            fmt::format("an entry [[{}]], which the function changes: uniform zeros will do", name));
        section->entries.push_back(std::make_shared<GivenEntry>(run.time.start, hooks));
    }
}

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
