#include "groundswell/lab/given_forcing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
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

}  // namespace groundswell::lab
