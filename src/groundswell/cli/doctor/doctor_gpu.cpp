#include "groundswell/cli/doctor/doctor_gpu.hpp"

#include <fmt/format.h>

#include <fstream>

#include "groundswell/exec/device/cuda/cuda_device.hpp"

namespace groundswell::cli {
namespace {

// -1 where the machine has but one, or does not say.
int memory_node_of(const std::string& bus) {
    std::ifstream file("/sys/bus/pci/devices/" + bus + "/numa_node");
    int node = -1;
    return file >> node ? node : -1;
}

}  // namespace

nlohmann::json look_at_gpus() {
    const exec::CudaReport report = exec::look_at_cuda_devices();
    nlohmann::json gpus = nlohmann::json::array();
    for (const exec::CudaFacts& gpu : report.gpus)
        gpus.push_back({{"name", gpu.name},
                        {"capability", gpu.capability},
                        {"memory_bytes", gpu.memory_bytes},
                        {"free_bytes", gpu.free_bytes},
                        {"memory_node", memory_node_of(gpu.bus)}});
    return {{"gpus", gpus}, {"driver", report.driver}, {"why_none", report.why}};
}

std::string describe_gpus(const nlohmann::json& found) {
    std::string text;
    for (const nlohmann::json& gpu : found.at("gpus")) {
        const int node = gpu.at("memory_node");
        text += fmt::format(
            "GPU          {}, capability {}, {:.1f} of {:.1f} GiB free, driver for CUDA {}{}\n",
            gpu.at("name").get<std::string>(), gpu.at("capability").get<std::string>(),
            gpu.at("free_bytes").get<double>() / (1 << 30), gpu.at("memory_bytes").get<double>() / (1 << 30),
            found.at("driver").get<std::string>(),
            node >= 0 ? fmt::format(", next to memory node {}", node) : "");
    }
    if (text.empty()) text = fmt::format("GPU          none: {}\n", found.at("why_none").get<std::string>());
    return text;
}

}  // namespace groundswell::cli
