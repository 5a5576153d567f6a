#include "groundswell/exec/device/choice/choice.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/exec/device/budget/accounting_device.hpp"
#include "groundswell/exec/device/cuda/cuda_device.hpp"
#include "groundswell/exec/device/graphs/graphing_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"

namespace groundswell::exec {
namespace {

constexpr auto played_variable = "GROUNDSWELL_PLAYED_DEVICE";

// A block as that of an NVIDIA H100 (CUDA C++ Programming Guide, table of compute capabilities, 9.0), with little memory.
const DeviceLimits played_limits{"played device", 1024, 227 << 10, std::size_t{8} << 30};

std::unique_ptr<Device> make_played(std::string_view text) {
    const auto seed = base::parse_number<unsigned>(text);
    base::require(seed.has_value(), "environment", played_variable, text,
                  "a seed, 0 or a larger whole number");
    return std::make_unique<PlayedDevice>(played_limits, *seed);
}

std::unique_ptr<Device> find_gpu(const DeviceSharing& sharing) {
    // Read by the main thread alone, before any other is started.
    if (const char* const played = std::getenv(played_variable)) return make_played(played);
    const int gpus = count_cuda_devices();
    base::require(
        sharing.processes <= gpus * sharing.processes_of_gpu, "GPU", "run.ranks_of_gpu",
        fmt::to_string(sharing.processes_of_gpu),
        fmt::format("at least {}: {} ranks share this host's {} GPU{}, each of which works best for one",
                    (sharing.processes + gpus - 1) / gpus, sharing.processes, gpus, gpus == 1 ? "" : "s"));
    return make_cuda_device(sharing.process % gpus);
}

}  // namespace

std::unique_ptr<Device> make_gpu(const DeviceSharing& sharing, bool graphs) {
    auto device = std::make_unique<AccountingDevice>(find_gpu(sharing));
    if (graphs) return std::make_unique<GraphingDevice>(std::move(device));
    return device;
}

}  // namespace groundswell::exec
