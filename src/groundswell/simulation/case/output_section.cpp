#include "groundswell/simulation/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "groundswell/base/measure.hpp"

namespace groundswell::simulation {

namespace {

/// File systems take 255. What is being written has longer names, and MPI libraries add some for files beside
/// it, of which one puts the whole into too small a place.
constexpr std::size_t longest_file_name = 200;

/// Bytes of a size such as "64 MiB"; empty when it is none.
std::optional<std::int64_t> parse_size(std::string_view text) {
    const auto bytes = base::parse_measure(
        text,
        {{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}});
    return bytes && *bytes > 0.0 && *bytes < 9e18 ? std::optional(static_cast<std::int64_t>(*bytes))
                                                  : std::nullopt;
}

/// Path of records to the disk.
void read_writing(const Section& section, OutputSection& output) {
    output.storage.format =
        output::parse_format(section.choice("format", "cdf5", output::format_names(),
                                            {"format of maps, series and spectra: netCDF classic with 64-bit "
                                             "sizes, or netCDF-4, which is HDF5; restart files are CDF-5"}),
                             "output", "format");
    output.storage.compression = section.integer(
        "compression", 0, {0, 9}, {"of netCDF-4 files: 0 none, 1 fast, … 9 small; done by whoever writes"});
    if (!section.describing() && output.storage.compression > 0 &&
        output.storage.format == output::Format::cdf5)
        section.refuse("compression",
                       "0, or output.format = \"netcdf4\" with it: CDF-5 files cannot be compressed");
    output.mode = section.choice("mode", "auto", {"auto", "direct", "serial", "thread", "servers"},
                                 {"who writes: all ranks together (PnetCDF), one rank, a thread of each "
                                  "rank, or ranks set apart as servers; automatic: all ranks together, and "
                                  "from the second record on threads if measurements show that they pay"});
    // The table of keys is the same for every build; what this one lacks is refused in its own words.
    const std::vector<std::string> modes = output::output_modes(output.storage.format);
    if (!section.describing() && std::find(modes.begin(), modes.end(), output.mode) == modes.end())
        section.refuse("mode", fmt::format("one of {}, or output.format = \"netcdf4\": this build has no "
                                           "PnetCDF, with which all ranks together write CDF-5",
                                           fmt::join(modes, ", ")));
    output.servers = section.text_or_number("servers", "1",
                                            {"with mode servers: how many ranks, or which share of them "
                                             "(0.1, \"10%\"), write instead of computing"});
    if (!section.describing() && section.has("servers") && output.mode != "servers")
        section.refuse("servers", "output.mode = \"servers\" with it");
    const std::string buffer =
        section.text("buffer", "auto",
                     {"room for values that wait on each rank to be written, such as \"64 MiB\"; automatic: "
                      "two records of every file and one restart"});
    if (buffer != "auto") {
        const std::optional<std::int64_t> bytes = parse_size(buffer);
        if (!bytes && !section.describing())
            section.refuse("buffer",
                           "a size in kB, MB, GB, KiB, MiB or GiB, such as \"64 MiB\", or \"auto\"");
        output.buffer_bytes = bytes.value_or(0);
    }
    using output::OnError;
    output.on_error = section.choice<OnError>(
        "on_error", "stop", {{"stop", OnError::stop}, {"drop", OnError::drop}, {"retry", OnError::retry}},
        {"what a failed write does: ends the run, keeping all complete records; gives up that "
         "file, and the run goes on; or is tried again while the error may pass (full disk, "
         "quota, device), then ends the run"});
    output.longest_wait =
        section
            .duration_or("retry_for", "", base::seconds(600),
                         {"how long on_error = \"retry\" waits, with growing pauses, for one write"})
            .value_or(base::seconds(600));
    output.silence = section
                         .duration_or("silence", "", base::seconds(60),
                                      {"a writer that does not answer for this long while a rank waits for "
                                       "it is named in a warning"})
                         .value_or(base::seconds(60));
    output.checksums = section.boolean(
        "checksums", false, {"store a checksum of every variable and record, for groundswell verify"});
    output.hints = section.free_table(
        "hints", {"hints for MPI-IO and PnetCDF, passed on as they are: striping_factor, striping_unit, "
                  "nc_var_align_size, …; groundswell doctor names those worth trying"});
}

}  // namespace

std::string StreamNames::read(const Section& entry) {
    const std::string file =
        entry.text("file", {}, {"file in the output folder, a name of at most 200 bytes"});
    if (entry.describing()) return file;
    if (file.empty() || file.find('/') != std::string::npos)
        entry.refuse("file", "a file name without folders; --output chooses the folder");
    if (file.size() > longest_file_name)
        entry.refuse("file", fmt::format("a name of at most {} bytes", longest_file_name));
    if (std::find(taken_.begin(), taken_.end(), file) != taken_.end())
        entry.refuse("file", "a name that no other output uses");
    if (file == "run.json" || file.starts_with("restart_") || file.starts_with('.') ||
        file.ends_with(".part") || file.ends_with(".xdmf"))
        entry.refuse("file",
                     "a name that the run does not use itself (run.json, restart_…, .…, ….part, ….xdmf)");
    taken_.push_back(file);
    return file;
}

base::Duration StreamNames::read_every(const Section& entry) {
    return entry
        .duration_or("every", "", std::nullopt,
                     {"time between two records; the first is at the start of the simulation"})
        .value_or(base::Duration{});
}

OutputSection read_output(const Section& section, const CaseReader& reader, const std::string& folder,
                          const MapFields& fields,
                          const std::function<void(const Section&, StreamNames&)>& more) {
    OutputSection output;
    output.folder = folder.empty()
                        ? (std::filesystem::path(reader.folder()) / "output").lexically_normal().string()
                        : folder;
    read_writing(section, output);
    StreamNames names;
    for (const Section& entry : section.sections("map")) {
        MapSection map;
        map.file = names.read(entry);
        map.every = StreamNames::read_every(entry);
        map.fields = entry.words("fields", fields.usual, fields.known, {"fields of the map"});
        if (!fields.statistics.empty())
            map.statistic =
                entry.choice("statistic", "point", fields.statistics,
                             {"which value of the time since the record before: that of the moment itself, "
                              "or mean, maximum or minimum over the ends of all source steps"});
        output.maps.push_back(map);
    }
    if (more) more(section, names);
    const Section restart = section.section("restart");
    output.restart_every =
        restart.duration_or("every", "never", std::nullopt,
                            {"time between two restart files, counted from the start of the simulation"});
    output.restart_keep =
        restart.integer("keep", 2, {0, 1000000},
                        {"how many restart files of a run are kept, the latest ones; an older one is removed "
                         "when a newer one is whole and verified; 0 keeps all"});
    output.restart_checksums = restart.boolean(
        "checksums", true,
        {"store a checksum of every variable in restart files, with which altered values are refused"});
    return output;
}

}  // namespace groundswell::simulation
