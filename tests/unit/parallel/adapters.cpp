// Network adapters next to a device, in a tree like the one that the kernel shows.
#include "groundswell/parallel/machine/adapters.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace groundswell::parallel {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A host with two sockets; behind one switch of the first are a GPU and an adapter.
struct System {
    fs::path root = fs::temp_directory_path() / ("groundswell-adapters-" + std::to_string(::getpid()));

    ~System() { fs::remove_all(root); }
    System(const System&) = delete;
    System& operator=(const System&) = delete;
    System() {
        fs::create_directories(root / "bus/pci/devices");
        fs::create_directories(root / "class/net/lo");
        device("0000:17:00.0", "pci0000:15/switch-a");
        device("0000:97:00.0", "pci0000:95/switch-b");
    }
    fs::path device(const std::string& bus, const std::string& way) {
        const fs::path place = root / "devices" / way / bus;
        fs::create_directories(place);
        fs::create_directory_symlink(place, root / "bus/pci/devices" / bus);
        return place;
    }
    void adapter(const std::string& kind, const std::string& name, const std::string& bus,
                 const std::string& way) {
        fs::create_directories(root / "class" / kind / name);
        fs::create_directory_symlink(device(bus, way), root / "class" / kind / name / "device");
    }
};

TEST(NearestAdapters, AreThoseBehindTheSameSwitchThenThoseOfTheSocket) {
    System system;
    system.adapter("net", "ens1", "0000:18:00.0", "pci0000:15/switch-a");
    system.adapter("net", "ens0", "0000:16:00.0", "pci0000:15/switch-c");
    system.adapter("net", "ens9", "0000:98:00.0", "pci0000:95/switch-d");
    EXPECT_EQ(nearest_adapters("0000:17:00.0", system.root), Names{"ens1"});
    EXPECT_EQ(nearest_adapters("0000:97:00.0", system.root), Names{"ens9"});
    EXPECT_EQ(nearest_adapters("0000:ff:00.0", system.root), Names{});
    EXPECT_EQ(nearest_adapters("", system.root), Names{});
    system.adapter("net", "ens2", "0000:19:00.0", "pci0000:15/switch-a");
    EXPECT_EQ(nearest_adapters("0000:17:00.0", system.root), (Names{"ens1", "ens2"}));
    // Messages go by these where there are some.
    system.adapter("infiniband", "mlx5_0", "0000:16:00.1", "pci0000:15/switch-c");
    EXPECT_EQ(nearest_adapters("0000:17:00.0", system.root), Names{"mlx5_0"});
}

TEST(NearestAdapters, AreNoneOnAHostWithoutAny) {
    const System system;
    EXPECT_EQ(nearest_adapters("0000:17:00.0", system.root), Names{});
}

}  // namespace
}  // namespace groundswell::parallel
