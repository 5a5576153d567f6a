#include "groundswell/sea/wind/forcing.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/shared_window.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/sea/wind/vortex.hpp"
#include "groundswell/sea/wind/wind_file.hpp"

namespace groundswell::sea {

namespace {

class UniformWind final : public WindLayer {
public:
    explicit UniformWind(const UniformOptions& options) : options_(options) {}
    void apply(base::Instant, std::span<double> eastward, std::span<double> northward) override {
        std::fill(eastward.begin(), eastward.end(), options_.eastward);
        std::fill(northward.begin(), northward.end(), options_.northward);
    }

private:
    UniformOptions options_;
};

// What an entry is called in the case file, for messages: key and value.
struct EntryName {
    std::string key, value;
};

EntryName name_of(const WindOptions& entry, std::size_t index) {
    if (const auto* file = std::get_if<WindFileOptions>(&entry))
        return {fmt::format("wind[{}].file", index), fmt::format("{}", fmt::join(file->files, ", "))};
    if (const auto* uniform = std::get_if<UniformOptions>(&entry))
        return {fmt::format("wind[{}].uniform", index),
                fmt::format("[{}, {}]", uniform->eastward, uniform->northward)};
    return {fmt::format("wind[{}].vortex", index),
            fmt::format("{}", fmt::join(std::get<VortexOptions>(entry).tracks, ", "))};
}

std::vector<std::unique_ptr<WindLayer>> make_layers(std::string_view case_file,
                                                    std::span<const WindOptions> entries,
                                                    std::span<const double> longitude,
                                                    std::span<const double> latitude, base::Instant start,
                                                    base::Instant end) {
    std::vector<std::unique_ptr<WindLayer>> layers;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const EntryName name = name_of(entries[i], i);
        if (const auto* vortex = std::get_if<VortexOptions>(&entries[i])) {
            base::require(!vortex->tracks.empty(), case_file, name.key, "[]", "a track");
            for (const std::string& track : vortex->tracks)
                base::require(::access(track.c_str(), R_OK) == 0, case_file, name.key, track,
                              "a track, as .csv, an ATCF deck, HURDAT2 or IBTrACS, that can be read");
            layers.push_back(
                std::make_unique<Vortex>(case_file, *vortex, longitude, latitude, start, end, i > 0));
            continue;
        }
        base::require(i == 0, case_file, name.key, name.value,
                      "the first [[wind]] entry: only a vortex can be blended over another wind");
        if (const auto* file = std::get_if<WindFileOptions>(&entries[i])) {
            base::require(!file->files.empty(), case_file, name.key, "[]", "at least one file");
            layers.push_back(std::make_unique<WindFile>(*file, longitude, latitude, start, end));
        } else {
            const auto& uniform = std::get<UniformOptions>(entries[i]);
            base::require(std::hypot(uniform.eastward, uniform.northward) <= 150.0, case_file, name.key,
                          name.value, "[eastward, northward] in m/s, not above 150 m/s");
            layers.push_back(std::make_unique<UniformWind>(uniform));
        }
    }
    return layers;
}

}  // namespace

Forcing::Forcing(MPI_Comm comm, std::string_view case_file, std::span<const WindOptions> entries,
                 std::span<const double> longitude, std::span<const double> latitude, base::Instant start,
                 base::Instant end)
    : group_(gridded::reading_group(comm)), eastward_(longitude.size()), northward_(longitude.size()) {
    GS_ASSERT(longitude.size() == latitude.size());
    layers_ = parallel::agree(
        comm, [&] { return make_layers(case_file, entries, longitude, latitude, start, end); });
    // A group throws together and waits for no other one before all have come to the end.
    parallel::agree(comm, [&] {
        for (const auto& layer : layers_) layer->open(group_.get(), start);
    });
}

parallel::ReadCost Forcing::cost() const {
    parallel::ReadCost cost;
    for (const auto& layer : layers_) cost += layer->cost();
    return cost;
}

void Forcing::wind_at(base::Instant time, std::span<Real> eastward, std::span<Real> northward) {
    GS_ASSERT(eastward.size() == eastward_.size() && northward.size() == northward_.size());
    std::fill(eastward_.begin(), eastward_.end(), 0.0);
    std::fill(northward_.begin(), northward_.end(), 0.0);
    for (const auto& layer : layers_) layer->apply(time, eastward_, northward_);
    std::transform(eastward_.begin(), eastward_.end(), eastward.begin(),
                   [](double value) { return static_cast<Real>(value); });
    std::transform(northward_.begin(), northward_.end(), northward.begin(),
                   [](double value) { return static_cast<Real>(value); });
}

}  // namespace groundswell::sea
