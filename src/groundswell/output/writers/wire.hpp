#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/output/schema.hpp"

/// Values as a run of bytes, on the way between ranks of one job: the same program, the same kind of machine.
namespace groundswell::output {

class ByteWriter {
public:
    /// In `memory`, whose values are lost.
    explicit ByteWriter(std::vector<std::byte> memory = {}) : bytes_(std::move(memory)) {}

    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        put_bytes(std::as_bytes(std::span(&value, 1)));
    }
    void put(const std::string& text) { put_list(std::span<const char>(text)); }
    /// Length and values.
    template <class T>
    void put_list(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        put(static_cast<std::int64_t>(values.size()));
        put_bytes(std::as_bytes(values));
    }
    void put(const Schema& schema);

    void reserve(std::int64_t bytes);
    /// Room for `count` bytes at the end, to be filled by the caller before the next call.
    std::byte* extend(std::int64_t count);
    std::vector<std::byte> take();

private:
    void put_bytes(std::span<const std::byte> bytes);
    void put(const Attribute& attribute);

    std::vector<std::byte> bytes_;  // the first `used_` of them count
    std::size_t used_ = 0;
};

/// Reads what a ByteWriter wrote, in the same order. The bytes must live as long as what view() returned is
/// used. A Defect when they end early.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, view(sizeof(T)).data(), sizeof(T));
        return value;
    }
    std::string get_text();
    template <class T>
    std::vector<T> get_list() {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto count = get<std::int64_t>();
        const auto bytes = view(count * static_cast<std::int64_t>(sizeof(T)));
        std::vector<T> values(count);
        if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    Schema get_schema();
    /// The next `count` bytes where they lie.
    std::span<const std::byte> view(std::int64_t count);

private:
    Attribute get_attribute();

    std::span<const std::byte> bytes_;
};

}  // namespace groundswell::output
