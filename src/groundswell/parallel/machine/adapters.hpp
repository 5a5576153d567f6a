#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace groundswell::parallel {

/// Network adapters of this host that are next to a device of PCI, by name: those whose way through the buses has most in common with its own,
/// adapters of InfiniBand alone where there are some. Empty where the system does not say. `bus`: the device's place in
/// bus/pci/devices; `system`: where the kernel shows its devices (sysfs(5)). Not collective.
std::vector<std::string> nearest_adapters(const std::string& bus,
                                          const std::filesystem::path& system = "/sys");

}  // namespace groundswell::parallel
