#include "groundswell/simulation/build_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "groundswell/base/version.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/parallel/environment.hpp"

namespace groundswell::simulation {

namespace {

std::vector<std::string_view> compiled_levels() {
    std::vector<std::string_view> names;
    for (const exec::InstructionSet set : exec::compiled_instruction_sets())
        names.push_back(exec::name_of(set));
    return names;
}

std::string mpi_version() {
    const parallel::Library library = parallel::library();
    return fmt::format("{} {}", library.name, library.version);
}

}  // namespace

nlohmann::json build_json() {
    const std::string pnetcdf = output::pnetcdf_version();
    const std::string& source = base::source_state();
    const auto or_null = [](const std::string& text) {
        return text.empty() ? nlohmann::json() : nlohmann::json(text);
    };
    return {{"architecture", exec::build_architecture()},
            {"instruction_sets", compiled_levels()},
            {"compiler", GROUNDSWELL_COMPILER},
            {"flags", GROUNDSWELL_FLAGS},
            {"version", base::version()},
            {"source", or_null(source)},
            {"libraries",
             {{"mpi", mpi_version()},
              {"netcdf", netcdf::netcdf_version()},
              {"hdf5", netcdf::hdf5_version()},
              {"pnetcdf", or_null(pnetcdf)},
              {"metis", GROUNDSWELL_METIS}}}};
}

std::string build_text() {
    const std::string pnetcdf = output::pnetcdf_version();
    const std::string& source = base::source_state();
    return fmt::format("Groundswell {}{}; {} {}; kernels {} of {} ({}); {}, netCDF {}, HDF5 {}{}, METIS {}",
                       base::version(), source.empty() ? "" : " (git " + source + ")", GROUNDSWELL_COMPILER,
                       GROUNDSWELL_FLAGS, exec::name_of(exec::instruction_set()),
                       fmt::join(compiled_levels(), " "), exec::build_architecture(), mpi_version(),
                       netcdf::netcdf_version(), netcdf::hdf5_version(),
                       pnetcdf.empty() ? "" : ", PnetCDF " + pnetcdf, GROUNDSWELL_METIS);
}

}  // namespace groundswell::simulation
