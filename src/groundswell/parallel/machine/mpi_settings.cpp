#include "groundswell/parallel/machine/mpi_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace groundswell::parallel {

namespace {

std::string read_variable(MPI_T_cvar_handle handle, MPI_Datatype type, int count) {
    if (type == MPI_CHAR) {
        std::vector<char> text(static_cast<std::size_t>(std::max(count, 0)) + 1, '\0');
        return MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS ? text.data() : "";
    }
    // Whole numbers of any length, little end first as on all machines that we build for.
    int bytes = 0;
    if (count != 1 || MPI_Type_size(type, &bytes) != MPI_SUCCESS || type == MPI_DOUBLE || bytes > 8)
        return "";
    long long value = 0;
    return MPI_T_cvar_read(handle, &value) == MPI_SUCCESS ? std::to_string(value) : "";
}

std::string environment_settings(MpiTransport& transport) {
    std::string provider;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line = *entry;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, equals);
        for (const char* prefix :
             {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "OMPI_MCA_osc", "OMPI_MCA_coll", "UCX_TLS",
              "UCX_NET_DEVICES", "FI_", "I_MPI_FABRICS", "I_MPI_OFI", "MPIR_CVAR_", "MPICH_"})
            if (name.starts_with(prefix))
                transport.settings[std::string(name)] = std::string(line.substr(equals + 1));
        if (name == "FI_PROVIDER" || name == "I_MPI_OFI_PROVIDER")
            provider = fmt::format("provider {}", line.substr(equals + 1));
    }
    return provider;
}

}  // namespace

std::string mpi_variable(const char* name) {
    std::string value;
    int level = MPI_THREAD_SINGLE, given = 0, index = 0, count = 0;
    MPI_Query_thread(&level);  // Open MPI takes what is asked for here for the whole process
    if (MPI_T_init_thread(level, &given) != MPI_SUCCESS) return value;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
        int length = 0, verbosity = 0, binding = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum kinds = MPI_T_ENUM_NULL;
        MPI_T_cvar_get_info(index, nullptr, &length, &verbosity, &type, &kinds, nullptr, &length, &binding,
                            &scope);
        value = read_variable(handle, type, count);
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return value;
}

std::string open_mpi_components(std::string_view maps) {
    std::string text;
    for (const std::string_view framework : {"pml", "mtl", "btl"}) {
        const std::string prefix = fmt::format("/mca_{}_", framework);
        std::set<std::string> names;
        for (std::size_t at = maps.find(prefix); at != std::string_view::npos;
             at = maps.find(prefix, at + 1)) {
            const std::size_t begin = at + prefix.size(), end = maps.find(".so", begin);
            if (end != std::string_view::npos) names.emplace(maps.substr(begin, end - begin));
        }
        if (!names.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", framework, fmt::join(names, ", "));
    }
    return text;
}

std::string mpich_device(std::string_view text) {
    constexpr std::string_view before = "MPICH Device:";
    const std::size_t found = text.find(before);
    if (found == std::string_view::npos) return "";
    const std::size_t begin = text.find_first_not_of(" \t", found + before.size());
    return begin == std::string_view::npos
               ? ""
               : std::string(text.substr(begin, text.find_first_of(" \t\n", begin) - begin));
}

MpiTransport mpi_transport() {
    MpiTransport transport;
    const std::string provider = environment_settings(transport);
    char buffer[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(buffer, &length);
    transport.in_use = mpich_device({buffer, static_cast<std::size_t>(length)});
    if (library().name == "Open MPI") {
        std::ifstream maps("/proc/self/maps");
        transport.in_use = open_mpi_components(std::string(std::istreambuf_iterator<char>(maps), {}));
    }
    if (!provider.empty()) transport.in_use += (transport.in_use.empty() ? "" : ", ") + provider;
    return transport;
}

}  // namespace groundswell::parallel
