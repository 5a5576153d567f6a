#include "groundswell/simulation/case.hpp"

#include <fmt/format.h>

#include <cmath>

namespace groundswell::simulation {

std::vector<Interval> Case::intervals() const {
    std::vector<Interval> found{
        {"time.end", time.end - time.start, time.has_date ? "after time.start" : "after the start", ""}};
    for (const MapSection& map : output.maps)
        found.push_back({"output.map[].every", map.every, "for " + map.file, map.file});
    if (output.restart_every)
        found.push_back({"output.restart.every", *output.restart_every, "for restart files", ""});
    return found;
}

std::vector<std::string> Case::input_files() const {
    std::vector<std::string> files{file};
    if (!initial_restart.empty()) files.push_back(initial_restart);
    return files;
}

TimeSection read_time(const Section& section, const KeyText& step, bool has_date) {
    TimeSection time;
    time.has_date = has_date;
    if (has_date) {
        time.start = section.instant(
            "start", {"first moment of the simulation; the first record is written here", "UTC"});
        time.end = section.instant(
            "end",
            {"last moment of the simulation; a record is written here if whole output intervals lead to it",
             "UTC"});
        if (!section.describing() && !(time.start < time.end))
            section.refuse("end",
                           fmt::format("a time after time.start = {}", base::format_instant(time.start)));
    } else {
        time.end = time.start + section
                                    .duration_or("end", "", std::nullopt,
                                                 {"how long the simulation lasts; a record is written at its "
                                                  "end if whole output intervals lead to it"})
                                    .value_or(base::Duration{});
    }
    time.step = section.duration_or("step", "auto", std::nullopt, step);
    return time;
}

std::vector<int> read_cores(const Section& section, const KeyText& text) {
    std::vector<int> cores;
    for (const double core : section.numbers("thread_cores", 0, text)) {
        if (core < 0.0 || core > 1e6 || core != std::floor(core))
            section.refuse("thread_cores", "numbers of cores, whole and not negative");
        cores.push_back(static_cast<int>(core));
    }
    return cores;
}

void read_common(const CaseReader& reader, Case& run) {
    const Section root = reader.root();
    run.file = reader.file();
    run.text = reader.text();
    run.title = root.text("title", "", {"a title for the case and its output files"});
    run.threads = root.section("run").integer("threads", 1, {1, 1024},
                                              {"threads of each rank, whatever OMP_NUM_THREADS says"});
}

}  // namespace groundswell::simulation
