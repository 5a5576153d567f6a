#include "groundswell/simulation/case.hpp"

#include <fmt/format.h>

#include "groundswell/parallel/cores/kept_cores.hpp"

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

halo::ExchangeOptions read_halo(const Section& section, Case& run) {
    halo::ExchangeOptions halo;
    halo.where = run.file;
    halo.names = {"halo.transport", "halo.progress", "halo.gpu"};
    std::vector<std::string> names;
    for (const std::string_view name : halo::transport_names()) names.emplace_back(name);
    halo.transport = section.choice(
        "transport", "auto", names,
        {"how halos travel between ranks; automatic: the fastest in a few measured exchanges"});
    halo.progress = halo::progress_named(
        section.choice("progress", "none", halo::progress_names(),
                       {"what pushes messages along while interior cells are computed: nothing, the "
                        "computation itself between chunks of cells, or a communication thread; a thread "
                        "needs a core of its own and MPI_THREAD_MULTIPLE"}));
    run.wants_all_threads_in_mpi = halo.progress == halo::Progress::thread;
    halo.gpu = halo::route_named(section.choice(
        "gpu", "auto", halo::route_names(),
        {"how halos travel between GPUs: from memory to memory of GPUs of one host, by an MPI library "
         "that takes memory of a GPU, or staged through the memory of the host; automatic: the "
         "first of these that there is for each neighbour"}));
    return halo;
}

void read_common(const CaseReader& reader, Case& run) {
    const Section root = reader.root();
    run.file = reader.file();
    run.text = reader.text();
    run.title = root.text("title", "", {"a title for the case and its output files"});
    const Section section = root.section("run");
    run.threads =
        section.integer("threads", 1, {1, 1024}, {"threads of each rank, whatever OMP_NUM_THREADS says"});
    const auto [words, is_list] = section.words_or_list(
        "free_cores", "auto",
        {"cores on which nothing computes, for communication and writer threads, output servers and the "
         "system: so many for each rank, or those of the first rank on each host, of the second, … "
         "([\"6-7\", \"14-15\"], numbered as lscpu does); automatic: a communication or writer thread gets a "
         "core that the launcher allows a rank and its threads do not need, and shares theirs where there is "
         "none"});
    if (!section.describing())
        run.free_cores =
            parallel::read_free_cores(words, is_list, section.place("free_cores"), "run.free_cores");
    const std::string device = section.choice(
        "device", "auto", {"auto", "cpu", "gpu"},
        {"what computes: processors or GPUs, never others than asked for; automatic: processors"});
    run.on_gpu = device == "gpu";
    run.ranks_of_gpu = static_cast<int>(
        section.integer("ranks_of_gpu", 1, {1, 64}, {"ranks of a host that may share one of its GPUs"}));
    run.launch_graphs = section.boolean(
        "launch_graphs", false,
        {"ask a GPU for sequences of small launches at once (by graphs), which may help where clusters are "
         "small; what they took is then counted to the phase that waits for them"});
}

}  // namespace groundswell::simulation
