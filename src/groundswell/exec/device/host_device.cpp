#include "groundswell/exec/device/host_device.hpp"

#include <cstdlib>
#include <new>

#include "groundswell/exec/launch.hpp"

namespace groundswell::exec {
namespace {

class HostDevice final : public Device {
public:
    const DeviceLimits& limits() const override { return limits_; }

    Stream make_stream() override { return {}; }
    Event record(Stream) override { return {}; }
    void wait(Stream, Event) override {}
    void synchronise(Stream) override {}

    void* allocate(const std::string&, std::size_t bytes, const Filling&) override {
        void* const memory = std::aligned_alloc(64, (bytes + 64) / 64 * 64);
        if (memory == nullptr) throw std::bad_alloc();
        return memory;
    }
    void release(void* memory) override { std::free(memory); }
    Reached reach(void* memory) const override { return {memory, true}; }

    void copy_in(Stream, void* to, const void* from, std::size_t bytes) override {
        std::memcpy(to, from, bytes);
    }
    void copy_out(Stream, void* to, const void* from, std::size_t bytes) override {
        std::memcpy(to, from, bytes);
    }
    void copy_within(Stream, void* to, const void* from, std::size_t bytes) override {
        std::memcpy(to, from, bytes);
    }

    void launch(Stream, const Launch& launch, const Program& program, const Arguments& arguments) override {
        std::vector<std::vector<std::byte>> scratch(static_cast<std::size_t>(threads()),
                                                    std::vector<std::byte>(launch.scratch_bytes));
        for_each_cell(0, launch.blocks, [&](std::int32_t index) {
            Block block(index, 0, 1, scratch[static_cast<std::size_t>(thread_index())], {});
            program.on_processor(block, arguments.bytes.data());
        });
    }

private:
    const DeviceLimits limits_{"processor", std::numeric_limits<int>::max(),
                               std::numeric_limits<std::size_t>::max(),
                               std::numeric_limits<std::size_t>::max()};
};

}  // namespace

std::unique_ptr<Device> make_host_device() {
    return std::make_unique<HostDevice>();
}

}  // namespace groundswell::exec
