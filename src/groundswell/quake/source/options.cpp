#include "groundswell/quake/source/options.hpp"

#include <fmt/format.h>

#include <utility>

#include "groundswell/base/constants.hpp"
#include "groundswell/quake/source/point/samples.hpp"
#include "groundswell/quake/values/places.hpp"

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

// How the source goes with time, and how high the frequencies reach that it has.
void read_rate(const Section& entry, SourceSection& read) {
    const std::string name =
        entry.choice("time_function", "gaussian", {"gaussian", "ricker", "brune", "step", "samples"},
                     {"how the moment rate, or the force, varies with time"});
    std::shared_ptr<const TimeFunction>& rate = read.source.rate;
    const bool all = entry.describing();
    if (all || name == "gaussian" || name == "ricker") {
        const double centre =
            entry.number("centre", std::nullopt, {-1e9, 1e9}, {"time of its centre (gaussian, ricker)", "s"});
        if (all || name == "gaussian") {
            const double width = entry.number("width", std::nullopt, {1e-9, 1e9},
                                              {"standard deviation in time (gaussian)", "s"});
            rate = gaussian(centre, width);
        }
        if (all || name == "ricker") {
            const double frequency = entry.number("frequency", std::nullopt, {1e-9, 1e9},
                                                  {"frequency of the peak of its spectrum (ricker)", "Hz",
                                                   "Ricker 1953, doi:10.1190/1.1437843"});
            rate = ricker(centre, frequency);
        }
    }
    if (all || name == "brune" || name == "step") {
        const double onset = entry.number("onset", 0.0, {-1e9, 1e9}, {"when it begins (brune, step)", "s"});
        rate = step(onset);
        if (all || name == "brune") {
            const double time = entry.number("rise_time", std::nullopt, {1e-9, 1e9},
                                             {"time T of the rate (t/T²) exp(−t/T) (brune)", "s",
                                              "Brune 1970, doi:10.1029/JB075i026p04997"});
            rate = brune(onset, time);
        }
    }
    if (all || name == "samples") {
        read.samples = entry.path(
            "samples", std::nullopt,
            {"file of two columns, time in s and rate, at equal intervals; linear in between, 0 before and "
             "after (samples)"});
        if (all) return;
        Samples samples = read_samples(read.samples);
        rate = sampled(samples.onset, samples.interval, std::move(samples.rate));
    }
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
        source.moment[i] =
            moment.number(components[i], 0.0, {-1e26, 1e26}, {"component of the moment tensor", "N m"});
    source.force =
        read_numbers<3>(entry, "force", {"the force is this times the time function: [Fx, Fy, Fz]", "N s"});
    if (entry.has("strike") || entry.describing()) {
        const double strike = entry.number("strike", std::nullopt, {-360.0, 360.0},
                                           {"direction of the fault's trace, clockwise from north (y)",
                                            "degree", "Aki & Richards 2002, box 4.4", "none"});
        const double dip = entry.number(
            "dip", std::nullopt, {0.0, 90.0},
            {"dip of the fault, which goes down to the right of the strike", "degree", "", "none"});
        const double rake =
            entry.number("rake", std::nullopt, {-360.0, 360.0},
                         {"direction of slip in the fault plane, measured from the strike, positive upwards",
                          "degree", "", "none"});
        const double scalar = entry.number("scalar_moment", std::nullopt, {0.0, 1e26},
                                           {"moment of the double couple", "N m", "", "none"});
        source.moment = double_couple(scalar, strike * base::degree, dip * base::degree, rake * base::degree);
    }
    read_rate(entry, read);
    return read;
}

}  // namespace

SourceOptions read_sources(const Section& section, const std::optional<tetra::Projection>& projection) {
    SourceOptions all;
    for (const Section& entry : section.sections("point")) {
        all.points.push_back(read_source(entry, projection));
        all.points.back().name = fmt::format("source.point {}", all.points.size());
    }
    all.ruptures = read_ruptures(section);
    all.planes = read_planes(section, projection);
    return all;
}

}  // namespace groundswell::quake
