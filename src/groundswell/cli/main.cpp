#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/nearest_word.hpp"
#include "groundswell/base/version.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/cli/source_state.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/simulation/run/frame.hpp"

namespace groundswell::cli {
namespace {

// A subcommand that the program does not know may be a program groundswell-NAME beside it (an installation
// that is not on PATH, or one of several) or on PATH, as with git. Does not return if there is one.
void run_external(const std::string& name, char** arguments) {
    std::error_code unknown;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const std::filesystem::path here = self.parent_path();
    // For tools that ask this program again, which need not be on PATH.
    if (!unknown) ::setenv("GROUNDSWELL_PROGRAM", self.c_str(), 1);
    const char* path = std::getenv("PATH");
    std::stringstream folders((unknown ? "" : here.string() + ":") + (path != nullptr ? path : ""));
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = fmt::format("{}/groundswell-{}", folder.empty() ? "." : folder, name);
        std::error_code error;
        if (::access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program, error))
            ::execv(program.c_str(), arguments);
    }
}

// Builds are compared by a tool that runs each of them.
bool compares_builds(int argc, char** argv) {
    const auto asks = [](std::string_view word) {
        return word == "--compilers" || word.starts_with("--compilers=");
    };
    return argc > 2 && std::string_view(argv[1]) == "proxy" && std::any_of(argv + 2, argv + argc, asks);
}

int refuse_without_tools(const std::string& what, const std::string& tool) {
    return simulation::refuse_usage(fmt::format(
        "{}: expected the program groundswell-{} on PATH: it comes with the Python tools", what, tool));
}

struct Entry {
    std::string name;
    Action action;
};

int run_program(int argc, char** argv) {
    // Before anything else, so that no command finds out in the middle of its work.
    try {
        exec::instruction_set();
    } catch (const base::Refusal& refusal) {
        return simulation::refuse_usage(refusal.what());
    }
    simulation::CommandLine program{
        "Ocean waves on unstructured meshes, from bathymetry to a map, and elastic waves of earthquakes on "
        "tetrahedra.\nExample: mpirun -n 2 groundswell run cases/yagi/case.toml\n"};
    program.name("groundswell");
    program.version("groundswell " + base::version());
    program.require_command();
    program.footer(
        "Programs named groundswell-NAME on PATH are subcommands too; with the Python tools installed:\n  "
        "mesh             a Voronoi mesh from bathymetry or triangles, or a box of tetrahedra; the quality "
        "of a mesh\n  "
        "import           winds and storm tracks of archives as files that the model reads\n  "
        "export           seismograms in the forms of other programs\n  "
        "scale, tune      a case by number of ranks and threads; the fastest settings\n  "
        "builds           the program of several compilers, compared\n  "
        "plot             map, panels, animation, series, spectrum, mesh, seismograms, energies, halo, "
        "volume, proxy");
    std::vector<Entry> entries;
    entries.push_back({"run", add_run(program)});
    entries.push_back({"compare", add_compare(program)});
    entries.push_back({"verify", add_verify(program)});
    entries.push_back({"doctor", add_doctor(program)});
    entries.push_back({"proxy", add_proxy(program)});
    entries.push_back({"halo", add_halo(program)});
    entries.push_back({"partition", add_partition(program)});
    entries.push_back({"volume", add_volume(program)});
    entries.push_back({"clusters", add_clusters(program)});
    entries.push_back({"box", add_box(program)});

    if (argc > 1 && argv[1][0] != '-') {
        const std::string name = argv[1];
        std::vector<std::string> known;
        bool is_known = false;
        for (const Entry& entry : entries) {
            known.push_back(entry.name);
            is_known = is_known || entry.name == name;
        }
        if (!is_known) {
            run_external(name, argv + 1);
            for (const char* python : {"mesh", "plot", "import", "export", "scale", "tune", "builds"}) {
                if (name == python) return refuse_without_tools(name, name);
                known.emplace_back(python);
            }
            const std::string nearest = base::nearest_word(name, known);
            return simulation::refuse_usage(
                fmt::format("{}: expected a subcommand (groundswell --help lists them){}", name,
                            nearest.empty() ? std::string() : fmt::format("; the nearest is '{}'", nearest)));
        }
    }
    if (compares_builds(argc, argv)) {
        run_external("builds", argv + 1);
        return refuse_without_tools("--compilers", "builds");
    }
    const int answered = simulation::parse_command_line(program, argc, argv);
    if (answered >= 0) return answered;
    for (const Entry& entry : entries)
        if (program.chose(entry.name)) return entry.action();
    return static_cast<int>(base::ExitCode::defect);
}

}  // namespace
}  // namespace groundswell::cli

int main(int argc, char** argv) {
    groundswell::base::set_source_state(GROUNDSWELL_SOURCE_STATE);
    return groundswell::simulation::run_framed([&] { return groundswell::cli::run_program(argc, argv); });
}
