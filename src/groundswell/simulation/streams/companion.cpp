#include "groundswell/simulation/streams/companion.hpp"

#include <exception>
#include <filesystem>
#include <fstream>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/output/disk/growing_name.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/reader.hpp"

namespace groundswell::simulation {

std::string companion_path(const OutputSection& section, const Stream& stream, const std::string& path) {
    if (section.storage.format != output::Format::netcdf4 || !path.ends_with(".nc") ||
        stream.companion({}).empty())
        return {};
    return path.substr(0, path.size() - 2) + "xdmf";
}

void write_companion(const OutputSection& section, const Stream& stream, const std::string& path) noexcept {
    std::string companion, reason;
    try {
        companion = companion_path(section, stream, path);
        if (companion.empty() || !std::filesystem::exists(path)) return;
        const output::Reader reader(path);
        std::vector<double> times;
        for (std::int64_t record = 0; record < reader.records(); ++record)
            times.push_back(reader.read_all<double>("time", record)[0]);
        // A reader finds the old file or the new one, never a part.
        const std::string target = output::without_links(companion), part = target + ".part";
        const output::GrowingName growing(part);
        std::ofstream file(part, std::ios::trunc);
        file << stream.companion(times);
        file.close();
        if (file)
            std::filesystem::rename(part, target);
        else
            reason = "it could not be written";
    } catch (const std::exception& error) {
        reason = error.what();
    }
    if (!reason.empty()) base::log_warning("output: {}: {}", companion, reason);
}

}  // namespace groundswell::simulation
