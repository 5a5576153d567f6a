#include <cuda_runtime_api.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "groundswell/exec/device/cuda/block.cuh"
#include "groundswell/exec/device/cuda/cuda_device.hpp"

namespace groundswell::exec {
namespace {

void check(cudaError_t result, const char* what) {
    if (result != cudaSuccess)
        throw DeviceFailure(std::string("GPU: ") + what + ": " + cudaGetErrorString(result));
}

// What CUDA asks of a kernel that is given these bytes.
struct KernelNode {
    void* kernel;
    cudaKernelNodeParams params{};

    explicit KernelNode(const RecordedLaunch& of) : kernel(const_cast<std::byte*>(of.bytes.data())) {
        params.func = const_cast<void*>(of.program.entry);
        params.gridDim = dim3(static_cast<unsigned>(of.launch.blocks));
        params.blockDim = dim3(static_cast<unsigned>(of.launch.lanes));
        params.sharedMemBytes = static_cast<unsigned>(of.launch.scratch_bytes);
        params.kernelParams = &kernel;
    }
    KernelNode(const KernelNode&) = delete;
};

void allow_scratch(const Launch& launch, const Program& program) {
    check(cudaFuncSetAttribute(program.entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(launch.scratch_bytes)),
          launch.name.c_str());
}

class CudaGraph final : public LaunchGraph {
public:
    CudaGraph(std::span<const RecordedLaunch> launches, const std::vector<cudaStream_t>& streams)
        : streams_(streams) {
        check(cudaGraphCreate(&graph_, 0), "a graph");
        for (const RecordedLaunch& one : launches) {
            allow_scratch(one.launch, one.program);
            const KernelNode node(one);
            const cudaGraphNode_t* const before = nodes_.empty() ? nullptr : &nodes_.back();
            cudaGraphNode_t made = nullptr;
            check(cudaGraphAddKernelNode(&made, graph_, before, nodes_.empty() ? 0 : 1, &node.params),
                  one.launch.name.c_str());
            nodes_.push_back(made);
        }
        check(cudaGraphInstantiate(&ready_, graph_, 0), "a graph");
    }
    ~CudaGraph() override {
        cudaGraphExecDestroy(ready_);
        cudaGraphDestroy(graph_);
    }
    CudaGraph& operator=(const CudaGraph&) = delete;
    void update(std::span<const RecordedLaunch> launches) override {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const KernelNode node(launches[i]);
            check(cudaGraphExecKernelNodeSetParams(ready_, nodes_[i], &node.params), "a graph");
        }
    }
    void launch(Stream stream) override {
        check(cudaGraphLaunch(ready_, streams_.at(static_cast<std::size_t>(stream))), "a graph");
    }

private:
    const std::vector<cudaStream_t>& streams_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t ready_ = nullptr;
    std::vector<cudaGraphNode_t> nodes_;
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(int number) {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, number), "properties of the device");
        limits_ = {properties.name, properties.maxThreadsPerBlock, properties.sharedMemPerBlockOptin,
                   properties.totalGlobalMem};
    }
    ~CudaDevice() override {
        for (const cudaEvent_t event : events_) cudaEventDestroy(event);
        for (const cudaStream_t stream : streams_) cudaStreamDestroy(stream);
    }

    const DeviceLimits& limits() const override { return limits_; }

    Stream make_stream() override {
        check(cudaStreamCreateWithFlags(&streams_.emplace_back(), cudaStreamNonBlocking), "a stream");
        return static_cast<Stream>(streams_.size() - 1);
    }
    Event record(Stream stream) override {
        if (events_.size() < events_kept)
            check(cudaEventCreateWithFlags(&events_.emplace_back(), cudaEventDisableTiming), "an event");
        const std::size_t number = recorded_++ % events_kept;
        check(cudaEventRecord(events_[number], of(stream)), "an event");
        return static_cast<Event>(number);
    }
    void wait(Stream stream, Event event) override {
        check(cudaStreamWaitEvent(of(stream), events_.at(static_cast<std::size_t>(event)), 0), "waiting");
    }
    void synchronise(Stream stream) override {
        check(cudaStreamSynchronize(of(stream)), "the work of a stream");
    }

    void* allocate(const std::string& name, std::size_t bytes, const Filling&) override {
        void* memory = nullptr;
        if (cudaMalloc(&memory, bytes) != cudaSuccess) {
            cudaGetLastError();  // forgotten: it is told here
            base::refuse(limits_.name, name, std::to_string(bytes) + " bytes",
                         "at most the " + std::to_string(free_bytes()) +
                             " bytes of the device's memory that are left");
        }
        return memory;
    }
    std::size_t free_bytes() const override {
        std::size_t left = 0, all = 0;
        check(cudaMemGetInfo(&left, &all), "memory");
        return left;
    }
    void release(void* memory) override {
        const auto opened = std::find(opened_.begin(), opened_.end(), memory);
        if (opened == opened_.end()) {
            cudaFree(memory);
            return;
        }
        opened_.erase(opened);  // once: an array may be opened by several
        cudaIpcCloseMemHandle(memory);
    }
    void* allocate_on_host(std::size_t bytes) override {
        void* memory = nullptr;
        check(cudaMallocHost(&memory, bytes), "memory of the host");
        return memory;
    }
    void release_on_host(void* memory) override { cudaFreeHost(memory); }
    Reached reach(void* memory) const override { return {memory, false}; }
    std::vector<std::byte> share(void* array) override {
        cudaIpcMemHandle_t handle;
        if (cudaIpcGetMemHandle(&handle, array) != cudaSuccess) return forgotten<std::vector<std::byte>>();
        const auto bytes = std::as_bytes(std::span(&handle, 1));
        return {bytes.begin(), bytes.end()};
    }
    void* open_shared(std::span<const std::byte> name) override {
        cudaIpcMemHandle_t handle;
        GS_ASSERT(name.size() == sizeof handle);
        std::memcpy(&handle, name.data(), sizeof handle);
        void* memory = nullptr;
        if (cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess)
            return forgotten<void*>();
        opened_.push_back(memory);
        return memory;
    }

    void copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) override {
        copy(stream, to, from_host, bytes, cudaMemcpyHostToDevice);
    }
    void copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) override {
        copy(stream, to_host, from, bytes, cudaMemcpyDeviceToHost);
    }
    void copy_within(Stream stream, void* to, const void* from, std::size_t bytes) override {
        copy(stream, to, from, bytes, cudaMemcpyDeviceToDevice);
    }

    void launch(Stream stream, const Launch& launch, const Program& program,
                const Arguments& arguments) override {
        if (launch.blocks == 0) return;  // no launch for CUDA, but an error
        void* kernel = const_cast<std::byte*>(arguments.bytes.data());
        allow_scratch(launch, program);
        check(cudaLaunchKernel(program.entry, dim3(static_cast<unsigned>(launch.blocks)),
                               dim3(static_cast<unsigned>(launch.lanes)), &kernel, launch.scratch_bytes,
                               of(stream)),
              launch.name.c_str());
    }
    std::unique_ptr<LaunchGraph> make_graph(std::span<const RecordedLaunch> launches) override {
        return std::make_unique<CudaGraph>(launches, streams_);
    }

private:
    // Nothing, where an error is an answer: the next call is not to find it.
    template <class T>
    static T forgotten() {
        cudaGetLastError();
        return T{};
    }
    cudaStream_t of(Stream stream) const { return streams_.at(static_cast<std::size_t>(stream)); }
    void copy(Stream stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const {
        check(cudaMemcpyAsync(to, from, bytes, kind, of(stream)), "a copy");
    }

    DeviceLimits limits_;
    std::vector<cudaStream_t> streams_;
    std::vector<cudaEvent_t> events_;
    std::vector<void*> opened_;  // arrays of other processes
    std::size_t recorded_ = 0;
};

}  // namespace

int count_cuda_devices() {
    int devices = 0;
    const cudaError_t result = cudaGetDeviceCount(&devices);
    if (result != cudaSuccess || devices < 1)
        base::refuse("GPU", "", "",
                     std::string("a device that CUDA can use; it says: ") + cudaGetErrorString(result));
    return devices;
}

CudaReport look_at_cuda_devices() {
    CudaReport report;
    int version = 0, devices = 0;
    if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0)
        report.driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    const cudaError_t result = cudaGetDeviceCount(&devices);
    if (result != cudaSuccess) report.why = cudaGetErrorString(result);
    for (int number = 0; number < devices; ++number) {
        cudaDeviceProp properties{};
        char bus[32] = "";
        CudaFacts facts;
        if (cudaGetDeviceProperties(&properties, number) != cudaSuccess ||
            cudaDeviceGetPCIBusId(bus, sizeof bus, number) != cudaSuccess ||
            cudaSetDevice(number) != cudaSuccess ||
            cudaMemGetInfo(&facts.free_bytes, &facts.memory_bytes) != cudaSuccess)
            continue;
        facts.name = properties.name;
        facts.capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
        for (char* letter = bus; *letter != 0; ++letter)
            facts.bus += static_cast<char>(std::tolower(static_cast<unsigned char>(*letter)));
        report.gpus.push_back(facts);
    }
    return report;
}

std::unique_ptr<Device> make_cuda_device(int number) {
    count_cuda_devices();
    check(cudaSetDevice(number), "choosing the device");
    return std::make_unique<CudaDevice>(number);
}

}  // namespace groundswell::exec
