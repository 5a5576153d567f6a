#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// A device that tells how much memory all arrays take where they have no room: from the first that has none on it counts, and copies nothing,
/// until require_memory() or a launch. Arrays that come after that are refused one by one.
class AccountingDevice final : public Device {
public:
    explicit AccountingDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

    void require_memory() override;

    const DeviceLimits& limits() const override { return device_->limits(); }
    bool is_played() const override { return device_->is_played(); }
    std::size_t free_bytes() const override { return device_->free_bytes(); }
    int blocks_kept_back() const override { return device_->blocks_kept_back(); }
    Stream make_stream() override { return device_->make_stream(); }
    Event record(Stream stream) override { return device_->record(stream); }
    void wait(Stream stream, Event event) override { device_->wait(stream, event); }
    void synchronise(Stream stream) override { device_->synchronise(stream); }
    void* allocate(const std::string& name, std::size_t bytes, const Filling& filling) override;
    void release(void* memory) override;
    void* allocate_on_host(std::size_t bytes) override { return device_->allocate_on_host(bytes); }
    void release_on_host(void* memory) override { device_->release_on_host(memory); }
    Reached reach(void* memory) const override { return device_->reach(memory); }
    std::vector<std::byte> share(void* array) override { return device_->share(array); }
    void* open_shared(std::span<const std::byte> name) override { return device_->open_shared(name); }
    void copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) override {
        if (missing_.empty()) device_->copy_in(stream, to, from_host, bytes);
    }
    void copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) override {
        if (missing_.empty()) device_->copy_out(stream, to_host, from, bytes);
    }
    void copy_within(Stream stream, void* to, const void* from, std::size_t bytes) override {
        if (missing_.empty()) device_->copy_within(stream, to, from, bytes);
    }
    void launch(Stream stream, const Launch& launch, const Program& program,
                const Arguments& arguments) override {
        if (!missing_.empty()) require_memory();
        device_->launch(stream, launch, program, arguments);
    }
    std::unique_ptr<LaunchGraph> make_graph(std::span<const RecordedLaunch> launches) override {
        return device_->make_graph(launches);
    }

private:
    const std::unique_ptr<Device> device_;
    bool is_complete_ = false;
    std::size_t wanted_ = 0, room_ = 0;  // bytes: of all arrays; of those that had room, and what was left
    std::set<std::unique_ptr<char>> missing_;  // stand for arrays without memory
};

}  // namespace groundswell::exec
