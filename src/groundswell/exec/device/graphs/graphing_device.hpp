#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// A device that is asked for sequences of small launches at once: what is asked of a stream without a copy or an event in between. It knows a
/// sequence again when it comes a second time, makes a graph of it then, and gives that other arguments where they have changed. Where
/// launches are small, asking for each of them takes longer than they do. What is done, and in which order, is as without.
class GraphingDevice final : public Device {
public:
    /// A launch of more blocks is no small one: it goes at once.
    static constexpr int most_blocks = 512;

    explicit GraphingDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

    struct Counts {
        long made = 0, updated = 0, launched = 0;  ///< graphs
        long alone = 0;                            ///< launches in none
    };
    const Counts& counts() const { return counts_; }

    const DeviceLimits& limits() const override { return device_->limits(); }
    bool is_played() const override { return device_->is_played(); }
    int blocks_kept_back() const override { return most_blocks; }
    Stream make_stream() override;
    Event record(Stream stream) override;
    void wait(Stream stream, Event event) override;
    void synchronise(Stream stream) override;
    void* allocate(const std::string& name, std::size_t bytes, const Filling& filling) override {
        return device_->allocate(name, bytes, filling);
    }
    void release(void* memory) override { device_->release(memory); }
    std::size_t free_bytes() const override { return device_->free_bytes(); }
    void require_memory() override { device_->require_memory(); }
    void* allocate_on_host(std::size_t bytes) override { return device_->allocate_on_host(bytes); }
    void release_on_host(void* memory) override { device_->release_on_host(memory); }
    Reached reach(void* memory) const override { return device_->reach(memory); }
    std::vector<std::byte> share(void* array) override { return device_->share(array); }
    void* open_shared(std::span<const std::byte> name) override { return device_->open_shared(name); }
    void copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) override;
    void copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) override;
    void copy_within(Stream stream, void* to, const void* from, std::size_t bytes) override;
    void launch(Stream stream, const Launch& launch, const Program& program,
                const Arguments& arguments) override;

private:
    /// All of a sequence but the arguments.
    using Shape = std::vector<std::tuple<BlockFunction, const void*, int, int, std::size_t>>;
    struct Known {
        struct Graph {
            std::unique_ptr<LaunchGraph> graph;
            std::vector<std::vector<std::byte>> bytes;  ///< of the arguments that it has
        };
        std::vector<Graph> graphs;
        std::size_t next = 0;  ///< to be given other arguments
    };
    void ask_for_all(Stream stream);

    const std::unique_ptr<Device> device_;
    std::vector<std::vector<RecordedLaunch>> waiting_;  // [stream]
    std::map<Shape, Known> known_;
    Counts counts_;
};

}  // namespace groundswell::exec
