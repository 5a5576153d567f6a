#include "groundswell/exec/device/device.hpp"

#include <new>

namespace groundswell::exec {

namespace {

// Enough for numbers of any type.
constexpr std::align_val_t alignment{64};

class OneByOne final : public LaunchGraph {
public:
    OneByOne(Device& device, std::span<const RecordedLaunch> launches)
        : device_(device), launches_(launches.begin(), launches.end()) {}
    void update(std::span<const RecordedLaunch> launches) override {
        launches_.assign(launches.begin(), launches.end());
    }
    void launch(Stream stream) override {
        for (const RecordedLaunch& one : launches_)
            device_.launch(stream, one.launch, one.program, one.arguments());
    }

private:
    Device& device_;
    std::vector<RecordedLaunch> launches_;
};

}  // namespace

void* Device::allocate_on_host(std::size_t bytes) {
    return ::operator new(bytes, alignment);
}

void Device::release_on_host(void* memory) {
    ::operator delete(memory, alignment);
}

std::vector<std::byte> Device::share(void* /*array*/) {
    return {};
}

void* Device::open_shared(std::span<const std::byte> /*name*/) {
    return nullptr;
}

std::unique_ptr<LaunchGraph> Device::make_graph(std::span<const RecordedLaunch> launches) {
    return std::make_unique<OneByOne>(*this, launches);
}

}  // namespace groundswell::exec
