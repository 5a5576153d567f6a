#include "groundswell/exec/device/graphs/graphing_device.hpp"

#include <algorithm>

namespace groundswell::exec {

namespace {

// Sequences that are known, and graphs of one: for the pieces of a long step, and both states of a step.
constexpr std::size_t most_known = 1024, most_graphs = 6;

}  // namespace

Stream GraphingDevice::make_stream() {
    const Stream stream = device_->make_stream();
    waiting_.resize(std::max(waiting_.size(), static_cast<std::size_t>(stream) + 1));
    return stream;
}

Event GraphingDevice::record(Stream stream) {
    ask_for_all(stream);
    return device_->record(stream);
}

void GraphingDevice::wait(Stream stream, Event event) {
    ask_for_all(stream);
    device_->wait(stream, event);
}

// The host goes to sleep: what waits on other streams is not to wait for its return.
void GraphingDevice::synchronise(Stream stream) {
    for (std::size_t other = 0; other < waiting_.size(); ++other) ask_for_all(static_cast<Stream>(other));
    device_->synchronise(stream);
}

void GraphingDevice::copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) {
    ask_for_all(stream);
    device_->copy_in(stream, to, from_host, bytes);
}

void GraphingDevice::copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) {
    ask_for_all(stream);
    device_->copy_out(stream, to_host, from, bytes);
}

void GraphingDevice::copy_within(Stream stream, void* to, const void* from, std::size_t bytes) {
    ask_for_all(stream);
    device_->copy_within(stream, to, from, bytes);
}

void GraphingDevice::launch(Stream stream, const Launch& launch, const Program& program,
                            const Arguments& arguments) {
    if (launch.blocks == 0) return;
    if (launch.blocks > most_blocks) {
        ask_for_all(stream);
        device_->launch(stream, launch, program, arguments);
        ++counts_.alone;
        return;
    }
    waiting_.at(static_cast<std::size_t>(stream))
        .push_back({launch,
                    program,
                    {arguments.bytes.begin(), arguments.bytes.end()},
                    arguments.arrays,
                    arguments.parts});
}

void GraphingDevice::ask_for_all(Stream stream) {
    std::vector<RecordedLaunch>& launches = waiting_.at(static_cast<std::size_t>(stream));
    if (launches.empty()) return;
    Shape shape;
    for (const RecordedLaunch& one : launches)
        shape.emplace_back(one.program.on_processor, one.program.entry, one.launch.blocks, one.launch.lanes,
                           one.launch.scratch_bytes);
    const auto found = known_.find(shape);
    if (launches.size() == 1 || found == known_.end()) {
        if (launches.size() > 1 && known_.size() < most_known) known_.emplace(std::move(shape), Known{});
        for (const RecordedLaunch& one : launches)
            device_->launch(stream, one.launch, one.program, one.arguments());
        counts_.alone += static_cast<long>(launches.size());
        launches.clear();
        return;
    }
    std::vector<std::vector<std::byte>> bytes;
    for (RecordedLaunch& one : launches) bytes.push_back(one.bytes);
    Known& known = found->second;
    auto graph = std::ranges::find(known.graphs, bytes, &Known::Graph::bytes);
    if (graph == known.graphs.end() && known.graphs.size() < most_graphs) {
        known.graphs.push_back({device_->make_graph(launches), std::move(bytes)});
        graph = std::prev(known.graphs.end());
        ++counts_.made;
    } else if (graph == known.graphs.end()) {
        graph = known.graphs.begin() + static_cast<std::ptrdiff_t>(known.next++ % most_graphs);
        graph->graph->update(launches);
        graph->bytes = std::move(bytes);
        ++counts_.updated;
    }
    graph->graph->launch(stream);
    ++counts_.launched;
    launches.clear();
}

}  // namespace groundswell::exec
