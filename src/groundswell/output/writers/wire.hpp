#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/schema.hpp"

/// Values as a run of bytes, on the way between ranks of one job: the same program, the same kind of machine. What
/// travels of a structure is said once, by pass(wire, value), for who writes and who reads.
namespace groundswell::output {

/// A list of values that may be copied byte by byte.
template <class List>
concept PlainList = requires(List list) {
    list.resize(1);
    list.data();
}
&&std::is_trivially_copyable_v<typename List::value_type>;

class ByteWriter {
public:
    /// In `memory`, whose values are lost.
    explicit ByteWriter(std::vector<std::byte> memory = {}) : bytes_(std::move(memory)) {}

    template <class... Values>
    void operator()(const Values&... values) {
        (put(values), ...);
    }

    void reserve(std::int64_t bytes);
    /// Room for `count` bytes at the end, to be filled by the caller before the next call.
    std::byte* extend(std::int64_t count);
    std::vector<std::byte> take();

private:
    template <class T>
    void put(const T& value) {
        if constexpr (PlainList<T>) {
            put_size(value.size());
            put_bytes(std::as_bytes(std::span(value)));
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            put_bytes(std::as_bytes(std::span(&value, 1)));
        } else {
            pass(*this, value);
        }
    }
    template <class T>
    requires(!std::is_trivially_copyable_v<T>) void put(const std::vector<T>& list) {
        put_size(list.size());
        for (const T& each : list) put(each);
    }
    template <class Value>
    void put(const std::map<std::string, Value>& map) {
        put_size(map.size());
        for (const auto& [key, value] : map) (*this)(key, value);
    }
    template <class... Lists>
    void put(const std::variant<Lists...>& value) {
        put_size(value.index());
        std::visit([this](const auto& list) { put(list); }, value);
    }
    template <class T>
    void put(const std::shared_ptr<const T>& shared) {
        put(*shared);
    }
    void put_size(std::size_t size) { put(static_cast<std::int64_t>(size)); }
    void put_bytes(std::span<const std::byte> bytes);

    std::vector<std::byte> bytes_;  // the first `used_` of them count
    std::size_t used_ = 0;
};

/// Reads what a ByteWriter wrote, in the same order. The bytes must live as long as what view() returned is
/// used. A Defect when they end early.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class... Values>
    void operator()(Values&... values) {
        (get(values), ...);
    }
    /// The next `count` bytes where they lie.
    std::span<const std::byte> view(std::int64_t count);

private:
    template <class T>
    void get(T& value) {
        if constexpr (PlainList<T>) {
            const std::int64_t size = get_size();
            const auto bytes = view(size * static_cast<std::int64_t>(sizeof(typename T::value_type)));
            value.resize(size);
            if (size > 0) std::memcpy(value.data(), bytes.data(), bytes.size());
        } else if constexpr (std::is_trivially_copyable_v<T>) {
            std::memcpy(&value, view(sizeof(T)).data(), sizeof(T));
        } else {
            pass(*this, value);
        }
    }
    template <class T>
    requires(!std::is_trivially_copyable_v<T>) void get(std::vector<T>& list) {
        list.clear();
        for (std::int64_t left = get_size(); left > 0; --left) {
            if constexpr (std::is_same_v<T, Attribute>)
                list.emplace_back("", "");
            else
                list.emplace_back();
            get(list.back());
        }
    }
    template <class Value>
    void get(std::map<std::string, Value>& map) {
        map.clear();
        for (std::int64_t left = get_size(); left > 0; --left) {
            std::string key;
            get(key);
            get(map[key]);
        }
    }
    template <class... Lists>
    void get(std::variant<Lists...>& value) {
        const std::int64_t index = get_size();
        GS_ASSERT(index >= 0 && index < static_cast<std::int64_t>(sizeof...(Lists)));
        std::int64_t number = 0;
        (void)((number++ == index ? (get(value.template emplace<Lists>()), true) : false) || ...);
    }
    template <class T>
    void get(std::shared_ptr<const T>& shared) {
        T value;
        get(value);
        shared = std::make_shared<const T>(std::move(value));
    }
    std::int64_t get_size() {
        std::int64_t size = 0;
        get(size);
        return size;
    }

    std::span<const std::byte> bytes_;
};

template <class T, class Plain>
concept EitherConst =
    std::same_as<std::remove_const_t<T>, Plain>;  ///< written as a constant, read into a variable

void pass(auto& wire, EitherConst<Attribute> auto& attribute) {
    wire(attribute.name, attribute.value);
}
void pass(auto& wire, EitherConst<Dimension> auto& dimension) {
    wire(dimension.name, dimension.length, dimension.unlimited);
}
void pass(auto& wire, EitherConst<Variable> auto& variable) {
    wire(variable.name, variable.type, variable.distributed, variable.dimensions, variable.attributes);
}
void pass(auto& wire, EitherConst<Schema> auto& schema) {
    wire(schema.dimensions, schema.variables, schema.attributes);
}

}  // namespace groundswell::output
