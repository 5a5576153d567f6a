#include "groundswell/exec/device/device.hpp"

#include <new>

namespace groundswell::exec {

// Of what any number may need.
constexpr std::align_val_t alignment{64};

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

}  // namespace groundswell::exec
