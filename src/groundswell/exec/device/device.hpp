#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/block.hpp"

/// Memory, streams and launches of a device. What is asked of a stream happens later, in the order in which it was asked for; between
/// streams only events give an order, and the host waits for nothing but synchronise(). Not thread-safe.
namespace groundswell::exec {

/// Limits of a device.
struct DeviceLimits {
    std::string name;
    int lanes = 1;                  ///< of a block
    std::size_t scratch_bytes = 0;  ///< of a block
    std::size_t memory_bytes = 0;
};

/// The device has not done what it was asked for: told at any later call, so also where other ranks wait for this one.
struct DeviceFailure : base::RunFailure {
    using base::RunFailure::RunFailure;
};

/// Streams and events of a device are known by numbers.
enum class Stream : int {};
enum class Event : int {};

/// Runs one block of a kernel, of which these are the bytes, on the processor.
using BlockFunction = void (*)(Block& block, const void* kernel);
/// The function for the instructions that the calling file is compiled for.
template <class Kernel>
void run_block(Block& block, const void* kernel) {
    (*static_cast<const Kernel*>(kernel))(block);
}

/// A kernel's function as it was compiled for the back ends.
struct Program {
    BlockFunction on_processor;
    const void* entry = nullptr;  ///< of CUDA: cuda_entry(), cuda/block.cuh
};

/// One call of a kernel for each of many blocks.
struct Launch {
    std::string name;
    int blocks = 0, lanes = 1;
    std::size_t scratch_bytes = 0;
};

/// A part of an array of a device, as it is used.
struct ArrayPart {
    const void* begin = nullptr;
    std::size_t bytes = 0;
    bool writes = false;  ///< else it is only read
};
template <class T>
ArrayPart part_of(std::span<T> values) {
    return {values.data(), values.size_bytes(), !std::is_const_v<T>};
}

/// The members of a kernel: its bytes, and where among them are addresses of arrays.
struct Arguments {
    struct Array {
        std::size_t offset;
        bool writes;  ///< else the kernel only reads it
    };
    std::span<const std::byte> bytes;
    std::vector<Array> arrays;
    /// The kernel uses nothing else of an array that these are parts of; it may use all of others.
    std::vector<ArrayPart> parts;

    template <class Kernel>
    static Arguments of(const Kernel& kernel, std::vector<ArrayPart> parts = {}) {
        static_assert(std::is_trivially_copyable_v<Kernel>);
        Arguments all{std::as_bytes(std::span(&kernel, 1)), {}, std::move(parts)};
        kernel.arrays([&]<class T>(const std::span<T>& array) {
            const auto* const member = reinterpret_cast<const std::byte*>(&array);
            const T* const data = array.data();
            GS_ASSERT(std::memcmp(member, &data, sizeof(const T*)) == 0);  // a span begins with its address
            all.arrays.push_back({static_cast<std::size_t>(member - all.bytes.data()), !std::is_const_v<T>});
        });
        return all;
    }
};

/// A launch with what it is given, of which it has copies.
struct RecordedLaunch {
    Launch launch;
    Program program;
    std::vector<std::byte> bytes;
    std::vector<Arguments::Array> arrays;
    std::vector<ArrayPart> parts;

    Arguments arguments() const { return {bytes, arrays, parts}; }
};

/// Launches, one after the other, that a device has made ready: it is asked for all of them at once.
class LaunchGraph {
public:
    virtual ~LaunchGraph() = default;
    /// Gives the same launches other arguments, from the next launch() on.
    virtual void update(std::span<const RecordedLaunch> launches) = 0;
    virtual void launch(Stream stream) = 0;
};

/// Fills memory before its first use, as far as a back end does so: a number that nobody may read.
struct Filling {
    const void* value = nullptr;
    std::size_t bytes = 0;
};

class Device {
public:
    virtual ~Device() = default;
    virtual const DeviceLimits& limits() const = 0;
    /// Whether a processor plays it, for tests: its speed says nothing.
    virtual bool is_played() const { return false; }

    virtual Stream make_stream() = 0;
    /// The point that the stream has come to. To be waited for before so many more are recorded.
    static constexpr int events_kept = 256;
    virtual Event record(Stream stream) = 0;
    /// Makes all that is asked of the stream from now on begin after the event.
    virtual void wait(Stream stream, Event event) = 0;
    /// The host waits until all that was asked of the stream is done.
    virtual void synchronise(Stream stream) = 0;

    /// Memory of the device; `name` is for messages. Throws a Refusal if there is not enough.
    virtual void* allocate(const std::string& name, std::size_t bytes, const Filling& filling) = 0;
    virtual void release(void* memory) = 0;
    virtual std::size_t free_bytes() const { return limits().memory_bytes; }
    /// Throws a Refusal where arrays so far have no room: a device may put it off until here, to tell what all of them take. To be called once
    /// they are all there, before anything is asked of them that matters.
    virtual void require_memory() {}

    /// Between memory of the host and of the device, or within the device. The host's must stay as it is until it is done.
    virtual void copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) = 0;
    virtual void copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) = 0;
    virtual void copy_within(Stream stream, void* to, const void* from, std::size_t bytes) = 0;

    /// Memory of the host that copies come to and go from at full speed, and beside all else that happens; with no value of its own.
    virtual void* allocate_on_host(std::size_t bytes);
    virtual void release_on_host(void* memory);

    /// An address by which others than kernels may use memory of the device, while nothing uses it that was asked of a stream.
    struct Reached {
        void* address = nullptr;
        bool by_processor =
            false;  ///< else only a library that knows memory of devices, as some of MPI do, can use it
    };
    virtual Reached reach(void* memory) const = 0;

    /// Lets devices of other processes of this host use an array. Returns the name by which they find it; empty: it can't be shared.
    virtual std::vector<std::byte> share(void* array);
    /// An array that another process shares by this name, as one of this device, until release(); null: it is out of reach. Copies within the
    /// device may go there; who has it must know when.
    virtual void* open_shared(std::span<const std::byte> name);

    /// Copies the arguments.
    virtual void launch(Stream stream, const Launch& launch, const Program& program,
                        const Arguments& arguments) = 0;

    /// Launches of at most so many blocks are kept back until more is asked of their stream than launches: who waits for each of them
    /// gains nothing by it.
    virtual int blocks_kept_back() const { return 0; }
    /// The device lives longer than its graphs. Unless a device knows better, they ask for their launches one by one.
    virtual std::unique_ptr<LaunchGraph> make_graph(std::span<const RecordedLaunch> launches);
};

/// An array of the host for copies, see Device::allocate_on_host(); the device lives longer.
class HostBuffer {
public:
    HostBuffer(Device& device, std::size_t bytes)
        : device_(device), data_(static_cast<std::byte*>(device.allocate_on_host(bytes))) {}
    ~HostBuffer() { device_.release_on_host(data_); }
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    std::byte* data() { return data_; }

private:
    Device& device_;
    std::byte* const data_;
};

/// An array in the memory of a device, which lives longer; not initialised. It must live until all that uses it is done.
template <class T>
class DeviceArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    DeviceArray(Device& device, const std::string& name, std::size_t size) : device_(device), size_(size) {
        static constexpr T unset = std::numeric_limits<T>::has_signaling_NaN
                                       ? std::numeric_limits<T>::signaling_NaN()
                                       : std::numeric_limits<T>::max();
        data_ = static_cast<T*>(device.allocate(name, size * sizeof(T), {&unset, sizeof(T)}));
    }
    /// One that has these values as soon as the stream comes to it: until then they must stay, which a temporary does not.
    DeviceArray(Device& device, const std::string& name, Stream stream, std::span<const T> values)
        : DeviceArray(device, name, values.size()) {
        device.copy_in(stream, data_, values.data(), values.size_bytes());
    }
    DeviceArray(Device& device, const std::string& name, Stream stream, std::vector<T>&& values) = delete;
    ~DeviceArray() { device_.release(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    /// For kernels and copies alone: the host may not look at the values.
    std::span<T> span() { return {data_, size_}; }
    std::span<const T> span() const { return {data_, size_}; }

private:
    Device& device_;
    T* data_ = nullptr;
    std::size_t size_;
};

}  // namespace groundswell::exec
