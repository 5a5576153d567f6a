#pragma once

#include <map>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// Finds operations on different streams that touch one array, at least one of them writing, without an order between them that
/// events or the host's waiting give. Knows it when the second is asked for, whatever order they would have run in. (Vector clocks:
/// Mattern 1989, "Virtual time and global states of distributed systems".)
class HazardChecker {
public:
    /// An array that an operation uses, by its first address.
    struct Use {
        const void* array;
        std::string name;
        bool writes;
    };

    void add_stream();
    void record(Stream stream, Event event);
    void wait(Stream stream, Event event);
    void synchronise(Stream stream);
    /// Throws a Defect that names both operations and the array.
    void operation(Stream stream, const std::string& name, const std::vector<Use>& uses);

private:
    /// [stream] Operations of it that are known to be done.
    using Clock = std::vector<long>;
    struct Access {
        int stream = 0;
        long number = 0;  ///< of the operation in its stream, from 1
        std::string name;
    };
    struct History {
        std::vector<Access> writes, reads;  ///< the last one of each stream
    };
    static void merge(Clock& into, const Clock& from);

    std::vector<Clock> streams_;
    std::map<Event, Clock> events_;
    Clock host_;
    std::map<const void*, History> arrays_;
};

}  // namespace groundswell::exec
