#include "groundswell/exec/device/played/played_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <numeric>
#include <utility>

namespace groundswell::exec {

Stream PlayedDevice::make_stream() {
    hazards_.add_stream();
    queues_.emplace_back();
    return static_cast<Stream>(queues_.size() - 1);
}

Event PlayedDevice::record(Stream stream) {
    const auto of = static_cast<std::size_t>(stream);
    const auto event = static_cast<Event>(events_.size());
    std::vector<Point>& points = events_.emplace_back(queues_.at(of).after);
    std::erase_if(points, [&](const Point& point) { return point.stream == of; });
    points.push_back({of, queues_.at(of).asked});
    hazards_.record(stream, event);
    return event;
}

void PlayedDevice::wait(Stream stream, Event event) {
    const auto number = static_cast<std::size_t>(event);
    if (events_.size() > number + events_kept)
        throw base::Defect("an event is waited for after too many others have been recorded");
    std::vector<Point>& after = queues_.at(static_cast<std::size_t>(stream)).after;
    // The last point of each stream alone: idle streams may wait for each other again and again.
    for (const Point& point : events_.at(number)) {
        const auto known = std::ranges::find(after, point.stream, &Point::stream);
        if (known == after.end())
            after.push_back(point);
        else
            known->number = std::max(known->number, point.number);
    }
    hazards_.wait(stream, event);
}

void PlayedDevice::ask(Stream stream, const std::string& name, const std::vector<HazardChecker::Use>& uses,
                       std::function<void()> run) {
    hazards_.operation(stream, name, uses);
    Queue& queue = queues_.at(static_cast<std::size_t>(stream));
    Operation operation{name, {}, std::exchange(queue.after, {}), std::move(run)};
    for (const HazardChecker::Use& use : uses) operation.uses.push_back(memory_.find(use.array));
    queue.waiting.push_back(std::move(operation));
    ++queue.asked;
}

void PlayedDevice::synchronise(Stream stream) {
    ++counts_.synchronisations;
    try {
        std::async(std::launch::async, [&] { run_until_empty(static_cast<std::size_t>(stream)); }).get();
    } catch (...) {
        for (Queue& queue : queues_) queue.waiting.clear();
        throw;
    }
    hazards_.synchronise(stream);
}

bool PlayedDevice::may_run(const Queue& queue) const {
    return !queue.waiting.empty() && are_done(queue.waiting.front().after);
}

bool PlayedDevice::are_done(const std::vector<Point>& points) const {
    return std::ranges::all_of(
        points, [&](const Point& point) { return queues_[point.stream].done >= point.number; });
}

void PlayedDevice::run_until_empty(std::size_t stream) {
    while (!queues_.at(stream).waiting.empty() || !are_done(queues_.at(stream).after)) {
        std::vector<Queue*> ready;
        for (Queue& queue : queues_)
            if (may_run(queue)) ready.push_back(&queue);
        Queue& queue = *ready.at(chance_() % ready.size());
        const Operation& next = queue.waiting.front();
        for (const Piece* array : next.uses)
            if (array->released)
                throw base::Defect(
                    fmt::format("'{}' uses the array '{}', which has been released", next.name, array->name));
        next.run();
        queue.waiting.pop_front();
        ++queue.done;
    }
}

const PlayedDevice::Piece& PlayedDevice::array_at(const std::string& name, const void* address) const {
    const Piece* const array = memory_.find(address);
    if (array == nullptr)
        throw base::Defect(
            fmt::format("'{}' has an address of the host where one of the device belongs", name));
    return *array;
}

Device::Reached PlayedDevice::reach(void* memory) const {
    const Piece& array = array_at("use from beside kernels", memory);
    return {array.writable + (static_cast<std::byte*>(memory) - array.known), true};
}

void PlayedDevice::must_be_of_host(const std::string& name, const void* address) const {
    if (memory_.find(address) != nullptr)
        throw base::Defect(
            fmt::format("'{}' has an address of the device where one of the host belongs", name));
}

void PlayedDevice::copy_in(Stream stream, void* to, const void* from_host, std::size_t bytes) {
    const Piece& array = array_at("copy to the device", to);
    const std::string name = fmt::format("copy to '{}'", array.name);
    must_be_of_host(name, from_host);
    std::byte* const place = array.writable + (static_cast<std::byte*>(to) - array.known);
    counts_.bytes_in += bytes;
    ask(stream, name, {use_of(array, {to, bytes, true})}, [=] { std::memcpy(place, from_host, bytes); });
}

void PlayedDevice::copy_out(Stream stream, void* to_host, const void* from, std::size_t bytes) {
    const Piece& array = array_at("copy to the host", from);
    const std::string name = fmt::format("copy of '{}' to the host", array.name);
    must_be_of_host(name, to_host);
    const std::byte* const place = array.readable + (static_cast<const std::byte*>(from) - array.known);
    counts_.bytes_out += bytes;
    ask(stream, name, {use_of(array, {from, bytes, false})}, [=] { std::memcpy(to_host, place, bytes); });
}

void PlayedDevice::copy_within(Stream stream, void* to, const void* from, std::size_t bytes) {
    const Piece &source = array_at("copy within the device", from),
                &target = array_at("copy within the device", to);
    const std::string name = fmt::format("copy of '{}' to '{}'", source.name, target.name);
    const std::byte* const read = source.readable + (static_cast<const std::byte*>(from) - source.known);
    std::byte* const written = target.writable + (static_cast<std::byte*>(to) - target.known);
    counts_.bytes_within += bytes;
    ask(stream, name, {use_of(source, {from, bytes, false}), use_of(target, {to, bytes, true})},
        [=] { std::memmove(written, read, bytes); });
}

void PlayedDevice::launch(Stream stream, const Launch& launch, const Program& program,
                          const Arguments& arguments) {
    if (launch.lanes < 1 || launch.lanes > limits_.lanes)
        throw base::Defect(fmt::format("'{}' asks for blocks of {} lanes: {} has 1 to {}", launch.name,
                                       launch.lanes, limits_.name, limits_.lanes));
    if (launch.scratch_bytes > limits_.scratch_bytes)
        throw base::Defect(fmt::format("'{}' asks for {} bytes of scratch a block: {} has {}", launch.name,
                                       launch.scratch_bytes, limits_.name, limits_.scratch_bytes));
    // The kernel gets addresses that it may use in place of those that the host knows.
    std::vector<std::byte> kernel(arguments.bytes.begin(), arguments.bytes.end());
    std::vector<Told> told = told_by(launch.name, arguments);
    std::vector<HazardChecker::Use> uses;
    for (const Arguments::Array& argument : arguments.arrays) {
        const std::byte* address = nullptr;
        std::memcpy(&address, &kernel[argument.offset], sizeof address);
        const Piece& array = array_at(launch.name, address);
        if (const auto parts = std::ranges::find(told, &array, &Told::array); parts != told.end())
            uses.insert(uses.end(), parts->uses.begin(), parts->uses.end());
        else
            uses.push_back(use_of(array, {array.known, array.bytes, argument.writes}));
        address = (argument.writes ? array.writable : array.readable) + (address - array.known);
        std::memcpy(&kernel[argument.offset], &address, sizeof address);
    }
    ++counts_.launches;
    ask(stream, launch.name, uses,
        [=, this] { run_within(launch.name, told, [&] { run_blocks(launch, program, kernel); }); });
}

HazardChecker::Use PlayedDevice::use_of(const Piece& array, const ArrayPart& part) {
    const auto begin = static_cast<std::size_t>(static_cast<const std::byte*>(part.begin) - array.known);
    return {array.known, array.name, part.writes, begin, begin + part.bytes};
}

// Parts of arrays that the launch has; those of others are of no matter to it.
std::vector<PlayedDevice::Told> PlayedDevice::told_by(const std::string& name,
                                                      const Arguments& arguments) const {
    std::vector<Told> told;
    for (const Arguments::Array& argument : arguments.arrays) {
        const void* address = nullptr;
        std::memcpy(&address, &arguments.bytes[argument.offset], sizeof address);
        const Piece& array = array_at(name, address);
        if (std::ranges::find(told, &array, &Told::array) != told.end()) continue;
        Told of{&array, {}};
        for (const ArrayPart& part : arguments.parts)
            if (memory_.find(part.begin) == &array) of.uses.push_back(use_of(array, part));
        if (!of.uses.empty()) told.push_back(std::move(of));
    }
    return told;
}

// All of an array that was not told of holds what nobody may read meanwhile, and must still do so in the end.
void PlayedDevice::run_within(const std::string& name, const std::vector<Told>& told,
                              const std::function<void()>& run) const {
    struct Kept {
        std::vector<std::byte> before, meanwhile;
    };
    std::vector<Kept> kept;
    for (const Told& of : told) {
        const Piece& array = *of.array;
        Kept& one = kept.emplace_back();
        one.before.assign(array.writable, array.writable + array.bytes);
        one.meanwhile = one.before;
        for (std::size_t i = 0; !array.unset.empty() && i + array.unset.size() <= array.bytes;
             i += array.unset.size())
            std::ranges::copy(array.unset, one.meanwhile.begin() + static_cast<std::ptrdiff_t>(i));
        for (const HazardChecker::Use& use : of.uses)
            std::memcpy(one.meanwhile.data() + use.begin, one.before.data() + use.begin, use.end - use.begin);
        std::ranges::copy(one.meanwhile, array.writable);
    }
    run();
    for (std::size_t i = 0; i < told.size(); ++i) {
        const Piece& array = *told[i].array;
        Kept& one = kept[i];
        for (const HazardChecker::Use& use : told[i].uses) {
            if (!use.writes) continue;
            for (auto* const kept_bytes : {&one.before, &one.meanwhile})
                std::memcpy(kept_bytes->data() + use.begin, array.writable + use.begin, use.end - use.begin);
        }
        if (std::memcmp(one.meanwhile.data(), array.writable, array.bytes) != 0)
            throw base::Defect(
                fmt::format("'{}' writes where it told nothing of in the array '{}'", name, array.name));
        std::ranges::copy(one.before, array.writable);
    }
}

void PlayedDevice::run_blocks(const Launch& launch, const Program& program,
                              const std::vector<std::byte>& kernel) {
    std::vector<int> order(static_cast<std::size_t>(launch.blocks));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), chance_);
    const float unset = std::numeric_limits<float>::signaling_NaN();
    std::vector<std::byte> scratch((launch.scratch_bytes + sizeof unset - 1) / sizeof unset * sizeof unset);
    const Block::Barrier barrier{
        [](void* lanes, int group) { static_cast<PlayedLanes*>(lanes)->sync(group); }, &lanes_,
        lanes_.handed()};
    for (const int index : order) {
        for (std::size_t i = 0; i < scratch.size(); i += sizeof unset)
            std::memcpy(&scratch[i], &unset, sizeof unset);
        try {
            lanes_.run(launch.lanes, chance_, [&](int lane) {
                Block block(index, lane, launch.lanes, {scratch.data(), launch.scratch_bytes}, barrier);
                program.on_processor(block, kernel.data());
            });
        } catch (const base::Defect& defect) {
            throw base::Defect(fmt::format("'{}', block {}: {}", launch.name, index, defect.what()));
        }
    }
}

}  // namespace groundswell::exec
