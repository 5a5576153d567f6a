#pragma once

#include <deque>
#include <functional>
#include <random>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/exec/device/played/lanes.hpp"
#include "groundswell/exec/device/played/memory.hpp"

namespace groundswell::exec {

/// Numbers of what has been asked of a device.
struct DeviceCounts {
    long launches = 0, synchronisations = 0;
    std::size_t bytes_in = 0, bytes_out = 0, bytes_within = 0;
};

/// A device for tests, on any machine: it does what a device may do and what a program must not rely on. Nothing happens before the
/// host waits; then another thread does what was asked for, of which streams by chance within what events allow, and may do more
/// than was waited for. Blocks of a launch and lanes of a block come in an order by chance. What breaks a rule is a Defect that
/// names the launch or copy, or stops the program at its line (PlayedMemory). After a Defect all that was asked for is forgotten.
class PlayedDevice final : public Device {
public:
    PlayedDevice(const DeviceLimits& limits, unsigned seed)
        : limits_(limits), chance_(seed), memory_(limits_), lanes_(limits.lanes) {}

    const DeviceCounts& counts() const { return counts_; }
    std::size_t bytes_taken() const { return memory_.taken(); }

    const DeviceLimits& limits() const override { return limits_; }
    bool is_played() const override { return true; }
    Stream make_stream() override;
    Event record(Stream stream) override;
    void wait(Stream stream, Event event) override;
    void synchronise(Stream stream) override;
    void* allocate(const std::string& name, std::size_t bytes, const Filling& filling) override {
        return memory_.allocate(name, bytes, filling);
    }
    void release(void* memory) override { memory_.release(memory); }
    std::size_t free_bytes() const override { return limits_.memory_bytes - memory_.taken(); }
    Reached reach(void* memory) const override;
    std::vector<std::byte> share(void* array) override { return memory_.share(array); }
    void* open_shared(std::span<const std::byte> name) override { return memory_.open_shared(name); }
    void copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) override;
    void copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) override;
    void copy_within(Stream stream, void* to, const void* from, std::size_t bytes) override;
    void launch(Stream stream, const Launch& launch, const Program& program,
                const Arguments& arguments) override;

private:
    using Piece = PlayedMemory::Piece;
    /// So many operations of a stream are done.
    struct Point {
        std::size_t stream;
        long number;
    };
    struct Operation {
        std::string name;
        std::vector<const Piece*> uses;
        std::vector<Point> after;
        std::function<void()> run;
    };
    struct Queue {
        std::deque<Operation> waiting;
        std::vector<Point> after;  ///< of the next operation
        long asked = 0, done = 0;
    };

    void ask(Stream stream, const std::string& name, const std::vector<HazardChecker::Use>& uses,
             std::function<void()> run);
    void run_until_empty(std::size_t stream);
    bool are_done(const std::vector<Point>& points) const;
    bool may_run(const Queue& queue) const;
    const Piece& array_at(const std::string& name, const void* address) const;
    void must_be_of_host(const std::string& name, const void* address) const;
    /// Parts of an array that a launch told of, where it uses these alone.
    struct Told {
        const Piece* array;
        std::vector<HazardChecker::Use> uses;
    };
    std::vector<Told> told_by(const std::string& name, const Arguments& arguments) const;
    static HazardChecker::Use use_of(const Piece& array, const ArrayPart& part);
    void run_within(const std::string& name, const std::vector<Told>& told,
                    const std::function<void()>& run) const;
    void run_blocks(const Launch& launch, const Program& program, const std::vector<std::byte>& kernel);

    const DeviceLimits limits_;
    std::mt19937 chance_;
    PlayedMemory memory_;
    PlayedLanes lanes_;
    HazardChecker hazards_;
    std::vector<Queue> queues_;
    std::vector<std::vector<Point>> events_;  // with what their streams waited for before they came to them
    DeviceCounts counts_;
};

}  // namespace groundswell::exec
