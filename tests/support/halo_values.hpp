#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/halo/selection.hpp"
#include "support/halo_graph.hpp"

/// Values that any rank can tell of any id, and the check that an exchange brought them and touched nothing
/// else.
namespace groundswell::halo::test {

/// All but `auto`, whose trials take time: it gives one of these.
inline std::vector<std::string> all_transports() {
    std::vector<std::string> names;
    for (const std::string_view name : transport_names())
        if (name != "auto") names.emplace_back(name);
    return names;
}

/// The name of a transport as GoogleTest allows it in the name of a test.
inline std::string identifier(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// A type that is nobody's idea of a number, of 12 bytes.
struct Odd {
    float x;
    std::int16_t n;
    char letters[6];
};

/// The bytes that value v of an id holds in a round.
template <class T>
T truth(std::int64_t id, std::size_t v, int round) {
    T value;
    auto* bytes = reinterpret_cast<unsigned char*>(&value);
    for (std::size_t b = 0; b < sizeof(T); ++b) {
        bytes[b] = static_cast<unsigned char>(id * 31 + static_cast<std::int64_t>(v) * 17 + round * 7 +
                                              static_cast<std::int64_t>(b) * 101 + (id >> 8));
    }
    return value;
}

template <class T>
bool same(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

constexpr unsigned char untouched = 0xA5;

template <class T>
void fill_owned(Field<T>& field, const Part& part, int round) {
    std::memset(static_cast<void*>(field.data()), untouched,
                static_cast<std::size_t>(field.ids()) * field.stride() * sizeof(T));
    for (std::size_t i = 0; i < part.owned.size(); ++i) {
        for (std::size_t v = 0; v < field.values(); ++v) {
            field[static_cast<std::int32_t>(i)][v] = truth<T>(part.owned[i], v, round);
        }
    }
}

/// Owned ids hold their values; of needed ids nothing is asked.
template <class T>
void expect_owned(const Field<T>& field, const Part& part, int round, const std::string& what) {
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < part.owned.size(); ++i) {
        for (std::size_t v = 0; v < field.values(); ++v)
            wrong += !same(field[static_cast<std::int32_t>(i)][v], truth<T>(part.owned[i], v, round));
    }
    EXPECT_EQ(wrong, 0) << what;
}

/// Whether value v of needed id q is wanted.
inline bool wanted(const Selection* selection, std::size_t q, std::size_t v) {
    if (selection == nullptr) return true;
    const auto in_row = static_cast<std::int32_t>(v) % selection->row_values;
    const RowRange range = selection->needed[q];
    return (in_row - range.first + selection->row_values) % selection->row_values < range.count;
}

/// Owned ids and wanted values are those of the owner; padding and what was not wanted is as fill_owned left
/// it.
template <class T>
void expect_exchanged(const Field<T>& field, const Part& part, int round, const std::string& what,
                      const Selection* selection = nullptr) {
    std::vector<std::int64_t> ids = part.owned;
    ids.insert(ids.end(), part.needed.begin(), part.needed.end());
    ASSERT_EQ(static_cast<std::size_t>(field.ids()), ids.size());
    T canary;
    std::memset(static_cast<void*>(&canary), untouched, sizeof(T));
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto values = field[static_cast<std::int32_t>(i)];
        for (std::size_t v = 0; v < field.values(); ++v) {
            const bool has = i < part.owned.size() || wanted(selection, i - part.owned.size(), v);
            wrong += !same(values[v], has ? truth<T>(ids[i], v, round) : canary);
        }
        for (std::size_t v = field.values(); v < field.stride(); ++v)
            wrong += !same(values.data()[v], canary);
    }
    EXPECT_EQ(wrong, 0) << what;
}

/// Ranges of every kind: none, all, within a row, and around its end.
template <class T>
std::shared_ptr<Selection> random_selection(const Part& part, std::int32_t rows, std::int32_t row_values,
                                            unsigned seed) {
    auto selection = std::make_shared<Selection>(Selection{sizeof(T), rows, row_values, {}});
    std::mt19937 random(seed);
    for (std::size_t q = 0; q < part.needed.size(); ++q) {
        selection->needed.push_back(
            {static_cast<std::int32_t>(random() % static_cast<unsigned>(row_values)),
             static_cast<std::int32_t>(random() % static_cast<unsigned>(row_values + 1))});
    }
    return selection;
}

}  // namespace groundswell::halo::test
