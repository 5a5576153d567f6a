#include "groundswell/sea/boundary/spectra_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/cf_time.hpp"
#include "groundswell/gridded/time_steps.hpp"
#include "groundswell/netcdf/packing.hpp"
#include "groundswell/sea/boundary/sea_series.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"

namespace groundswell::sea {

namespace {

constexpr auto layout =
    "spectra over (time, station, frequency, direction) or (time, frequency, direction); "
    "groundswell import spectra turns those of other programs into them";

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
}

bool has_word(const std::string& text, std::initializer_list<const char*> words) {
    return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

}  // namespace

SpectraFile::SpectraFile(const BoundarySection& section, const std::string& case_file, base::Instant start,
                         base::Instant end)
    : file_(section.file, "NetCDF file of spectra"),
      density_(find_density()),
      packing_(std::make_unique<netcdf::Packing>(file_, density_)),
      has_stations_(density_.dimensions.size() == 4) {
    read_times(start, end);
    require_no_gap(section.longest_step, start, end);
    read_frequency();
    read_direction(section, case_file);
    read_units(section, case_file);
    read_places();
}
SpectraFile::~SpectraFile() = default;

const SpectraFile::Variable& SpectraFile::find_density() const {
    const Variable* found = nullptr;
    for (const Variable& variable : file_.variables()) {
        const bool named = file_.text(variable, "standard_name") ==
                               "sea_surface_wave_directional_variance_spectral_density" ||
                           is_one_of(variable.name, {"efth", "density", "specden"});
        const std::size_t dimensions = variable.dimensions.size();
        if (named && (dimensions == 3 || dimensions == 4)) found = &variable;
    }
    std::vector<std::string> names;
    for (const Variable& variable : file_.variables()) names.push_back(variable.name);
    base::require(found != nullptr, file_.path(), "variables", fmt::format("{}", fmt::join(names, ", ")),
                  layout);
    return *found;
}

// The variable along a dimension of the spectra, counted from the end.
const SpectraFile::Variable& SpectraFile::axis(std::size_t from_end, const char* what,
                                               const std::vector<std::string>& names) const {
    const auto& dimension = density_.dimensions[density_.dimensions.size() - from_end];
    const Variable* found = nullptr;
    for (const Variable& variable : file_.variables()) {
        const bool along = variable.dimensions.size() == 1 && variable.dimensions[0].name == dimension.name;
        if (along && (is_one_of(variable.name, names) || variable.name == dimension.name)) found = &variable;
    }
    base::require(found != nullptr && is_one_of(found->name, names), file_.path(),
                  fmt::format("dimension {} of {}", density_.dimensions.size() - from_end + 1, density_.name),
                  dimension.name,
                  fmt::format("{} along it, named {}: {}", what, fmt::join(names, " or "), layout));
    return *found;
}

void SpectraFile::read_times(base::Instant start, base::Instant end) {
    const Variable& time = axis(density_.dimensions.size(), "times", {"time"});
    const gridded::CfTime meaning(file_.path(), time.name, file_.text(time, "units"),
                                  file_.text(time, "calendar"));
    for (const double value : file_.read_axis(time)) {
        base::require(meaning.holds(value), file_.path(), time.name, fmt::to_string(value), "a time");
        times_.push_back(meaning.instant(value));
    }
    require_cover(file_.path(), times_, start, end);
}

void SpectraFile::require_no_gap(double longest_step, base::Instant start, base::Instant end) const {
    std::vector<gridded::TimeOfSource> all;
    std::vector<double> own;
    for (std::size_t i = 0; i < times_.size(); ++i) {
        own.push_back(static_cast<double>(times_[i].microseconds) / 1e3);
        all.push_back({0, i, own.back()});
    }
    const auto gap = gridded::find_gap(all, std::span(&own, 1), bracket(times_, start).first,
                                       bracket(times_, end).second + 1, 1e3 * longest_step);
    if (!gap) return;
    const base::Instant from = times_[gap->record], to = times_[gap->record + 1];
    base::refuse(file_.path(), "time",
                 fmt::format("nothing from {} to {}", base::format_instant(from), base::format_instant(to)),
                 fmt::format("no gap; boundary[].longest_step = \"{}\" in the case file bridges it",
                             base::format_duration(to - from)));
}

void SpectraFile::read_places() {
    const auto read = [&](const std::vector<std::string>& names, double limit) {
        const Variable* variable = nullptr;
        for (const std::string& name : names)
            if (variable == nullptr) variable = file_.find(name);
        base::require(variable != nullptr, file_.path(), names.front(), "",
                      "the places of the stations, in degrees");
        const std::size_t stations = has_stations_ ? density_.dimensions[1].length : 1;
        std::vector<double> values = file_.read_all(*variable);
        // Some have them at every time: stations do not move.
        base::require(values.size() >= stations && values.size() % stations == 0, file_.path(),
                      variable->name, fmt::format("{} values", values.size()),
                      fmt::format("one for each of {} stations", stations));
        values.resize(stations);
        for (std::size_t s = 0; s < stations; ++s) {
            base::require(std::abs(values[s]) <= limit, file_.path(),
                          fmt::format("{}({})", variable->name, s + 1), fmt::to_string(values[s]),
                          fmt::format("degrees within ±{:g}", limit));
            values[s] *= base::degree;
        }
        return values;
    };
    lon_ = read({"longitude", "lon"}, 360.0);
    lat_ = read({"latitude", "lat"}, 90.0);
}

void SpectraFile::read_frequency() {
    const Variable& variable = axis(2, "frequencies", {"frequency", "freq", "f"});
    frequency_ = file_.read_axis(variable);
    bool ascending = frequency_.size() >= 2 && frequency_.front() > 0.0;
    for (std::size_t s = 1; s < frequency_.size(); ++s)
        ascending = ascending && frequency_[s] > frequency_[s - 1];
    base::require(ascending && frequency_.back() < 10.0, file_.path(), variable.name,
                  fmt::format("{:.4g}", fmt::join(frequency_, ", ")),
                  "two or more frequencies in Hz, above 0 and below 10, that ascend");
}

void SpectraFile::read_direction(const BoundarySection& section, const std::string& case_file) {
    const Variable& variable = axis(1, "directions", {"direction", "dir", "theta"});
    std::vector<double> bearing = file_.read_axis(variable);
    const std::string unit = file_.text(variable, "units"), name = file_.text(variable, "standard_name"),
                      words = name + " " + file_.text(variable, "long_name");
    // 24 directions in radians end before 2π; in degrees they go far beyond.
    if (has_word(unit, {"rad"}) || (unit.empty() && *std::ranges::max_element(bearing) < 7.0))
        for (double& one : bearing) one /= base::degree;
    using Convention = BoundarySection::Convention;
    Convention convention = section.convention;
    if (convention == Convention::of_file) {
        if (has_word(words, {"to_direction", "to direction", "go to", "going to", "towards"}))
            convention = Convention::to;
        else if (has_word(words, {"from_direction", "from direction", "coming from", "come from"}))
            convention = Convention::from;
        base::require(
            convention != Convention::of_file, file_.path(), fmt::format("{}: standard_name", variable.name),
            name.empty() ? "(none)" : name,
            fmt::format("sea_surface_wave_from_direction or sea_surface_wave_to_direction; else say which in "
                        "{}: boundary[].convention = \"from\" or \"to\"",
                        case_file));
    }
    for (const double one : bearing)
        direction_.push_back(direction_to(convention == Convention::to ? one + 180.0 : one));
    std::vector<double> sorted = bearing;
    for (double& one : sorted) one -= 360.0 * std::floor(one / 360.0);
    std::ranges::sort(sorted);
    const double width = 360.0 / static_cast<double>(sorted.size());
    bool even = sorted.size() >= 4;
    for (std::size_t d = 0; even && d < sorted.size(); ++d) {
        const double step = d + 1 < sorted.size() ? sorted[d + 1] - sorted[d] : sorted[0] + 360.0 - sorted[d];
        even = std::abs(step - width) < 0.02 * width;
    }
    base::require(even, file_.path(), variable.name, fmt::format("{:.4g}", fmt::join(bearing, ", ")),
                  "four or more directions all round the circle at equal steps");
}

void SpectraFile::read_units(const BoundarySection& section, const std::string& case_file) {
    const std::string unit = file_.text(density_, "units");
    base::require(!has_word(unit, {"J", "W"}), file_.path(), density_.name + ": units", unit,
                  fmt::format("variance, as m2 s rad-1, not energy; {}", layout));
    using Density = BoundarySection::Density;
    Density density = section.density;
    if (density == Density::of_file) {
        if (has_word(unit, {"deg"}))
            density = Density::per_degree;
        else if (has_word(unit, {"rad"}))
            density = Density::per_radian;
        base::require(density != Density::of_file, file_.path(), density_.name + ": units",
                      unit.empty() ? "(none)" : unit,
                      fmt::format("m2 s rad-1 or m2 s degree-1; else say which in {}: boundary[].density = "
                                  "\"per-radian\" or \"per-degree\"",
                                  case_file));
    }
    factor_ = density == Density::per_degree ? 1.0 / base::degree : 1.0;
}

void SpectraFile::read(std::size_t time, std::size_t station, std::vector<double>& density) const {
    density.resize(bins());
    std::vector<std::size_t> first{time}, count{1};
    if (has_stations_) {
        first.push_back(station);
        count.push_back(1);
    }
    for (const std::size_t length : {frequency_.size(), direction_.size()}) {
        first.push_back(0);
        count.push_back(length);
    }
    file_.read(density_, first, count, density.data());
    packing_->unpack(density);
    for (std::size_t b = 0; b < density.size(); ++b) {
        base::require(
            density[b] >= 0.0, file_.path(),
            fmt::format("{}(time {}, station {}, frequency {}, direction {})", density_.name, time + 1,
                        station + 1, b / direction_.size() + 1, b % direction_.size() + 1),
            std::isnan(density[b]) ? std::string("missing") : fmt::to_string(density[b]),
            "a density of 0 or more");
        density[b] *= factor_;
    }
}

}  // namespace groundswell::sea
