#include "groundswell/quake/case/sources.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/plain_file.hpp"
#include "groundswell/quake/case/places.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;

template <std::size_t count>
std::array<double, count> read_numbers(const Section& section, const char* key, simulation::KeyText text) {
    const std::vector<double> given = section.numbers(key, count, text);
    std::array<double, count> values{};
    for (std::size_t i = 0; i < given.size(); ++i) values[i] = given[i];
    return values;
}

// Two columns, time in s and rate, separated by blanks or a comma; lines that begin with # are comments.
std::unique_ptr<TimeFunction> read_samples(const std::string& path) {
    base::require_plain_file(path);
    std::ifstream file(path);
    base::require(file.good(), path, "", "", "a file that can be read");
    std::vector<double> times, rates;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        for (char& c : line)
            if (c == ',') c = ' ';
        std::istringstream words(line);
        double time = 0.0, rate = 0.0;
        std::string more;
        const bool right =
            (words >> time >> rate) && !(words >> more) && std::isfinite(time) && std::isfinite(rate);
        base::require(right, fmt::format("{}:{}", path, number), "", line,
                      "two numbers: a time in s and a rate");
        times.push_back(time);
        rates.push_back(rate);
    }
    base::require(times.size() >= 2, path, "", fmt::format("{} samples", times.size()),
                  "two samples or more");
    const double interval = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
    for (std::size_t i = 1; i < times.size(); ++i)
        base::require(std::abs(times[i] - times[i - 1] - interval) < 1e-3 * interval, path, "",
                      fmt::format("samples at {} s and {} s", times[i - 1], times[i]),
                      fmt::format("samples at equal intervals without gaps, here of {:.6g} s", interval));
    return sampled(times.front(), interval, std::move(rates));
}

std::shared_ptr<const TimeFunction> read_rate(const Section& entry, std::string& samples) {
    const std::string name =
        entry.choice("time_function", "gaussian", {"gaussian", "ricker", "brune", "step", "samples"},
                     {"how the moment rate, or the force, varies with time"});
    const bool all = entry.describing();
    std::shared_ptr<const TimeFunction> rate;
    if (all || name == "gaussian" || name == "ricker") {
        const double centre =
            entry.number("centre", std::nullopt, {}, {"time of its centre (gaussian, ricker)", "s"});
        if (all || name == "gaussian")
            rate = gaussian(centre, entry.number("width", std::nullopt, {1e-9, 1e9},
                                                 {"standard deviation in time (gaussian)", "s"}));
        if (all || name == "ricker")
            rate = ricker(centre, entry.number("frequency", std::nullopt, {1e-9, 1e9},
                                               {"frequency of the peak of its spectrum (ricker)", "Hz",
                                                "Ricker 1953, doi:10.1190/1.1437843"}));
    }
    if (all || name == "brune" || name == "step") {
        const double onset = entry.number("onset", 0.0, {}, {"when it begins (brune, step)", "s"});
        rate = step(onset);
        if (all || name == "brune")
            rate = brune(onset, entry.number("rise_time", std::nullopt, {1e-9, 1e9},
                                             {"time T of the rate (t/T²) exp(−t/T) (brune)", "s",
                                              "Brune 1970, doi:10.1029/JB075i026p04997"}));
    }
    if (all || name == "samples") {
        samples = entry.path("samples", std::nullopt,
                             {"file of two columns, time in s and rate, at equal intervals; linear in "
                              "between, 0 before and after (samples)"});
        if (!all) rate = read_samples(samples);
    }
    return rate;
}

SourceSection read_source(const Section& entry, const std::optional<tetra::Projection>& projection) {
    SourceSection read;
    PointSource& source = read.source;
    source.place = read_place(entry, "place", "where it acts", projection);
    int kinds = 0;
    for (const char* key : {"moment", "force", "strike"}) kinds += entry.has(key) ? 1 : 0;
    if (!entry.describing() && kinds != 1)
        entry.refuse("", "exactly one of the keys moment, force or strike in each [[source.point]]");
    const Section moment = entry.section("moment");
    constexpr const char* components[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    for (int i = 0; i < 6; ++i)
        source.moment[i] = moment.number(components[i], 0.0, {}, {"component of the moment tensor", "N m"});
    source.force =
        read_numbers<3>(entry, "force", {"the force is this times the time function: [Fx, Fy, Fz]", "N s"});
    if (entry.has("strike") || entry.describing()) {
        constexpr double degree = std::numbers::pi / 180.0;
        const double strike = entry.number("strike", std::nullopt, {-360.0, 360.0},
                                           {"direction of the fault's trace, clockwise from north (y)",
                                            "degree", "Aki & Richards 2002, box 4.4"});
        const double dip =
            entry.number("dip", std::nullopt, {0.0, 90.0},
                         {"dip of the fault, which goes down to the right of the strike", "degree"});
        const double rake = entry.number(
            "rake", std::nullopt, {-360.0, 360.0},
            {"direction of slip in the fault plane, measured from the strike, positive upwards", "degree"});
        const double scalar =
            entry.number("scalar_moment", std::nullopt, {0.0, 1e26}, {"moment of the double couple", "N m"});
        source.moment = double_couple(scalar, strike * degree, dip * degree, rake * degree);
    }
    source.rate = read_rate(entry, read.samples);
    return read;
}

}  // namespace

std::vector<SourceSection> read_sources(const Section& section,
                                        const std::optional<tetra::Projection>& projection) {
    std::vector<SourceSection> sources;
    for (const Section& entry : section.sections("point")) {
        sources.push_back(read_source(entry, projection));
        sources.back().name = fmt::format("source.point {}", sources.size());
    }
    return sources;
}

}  // namespace groundswell::quake
