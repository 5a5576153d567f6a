#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "groundswell/halo/plan.hpp"

namespace groundswell::halo {

enum class Number { int32, int64, float32, float64 };

template <class T>
constexpr Number number_of() {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? Number::float32 : Number::float64;
    return sizeof(T) == 4 ? Number::int32 : Number::int64;
}

/// An exchange the other way round: what stands at the needed ids is added to the values of their owners, one
/// contribution after the other to each value. The needed ids keep theirs.
///
/// Sums of floating-point numbers depend on their order. Here that is never the order in which messages come:
/// without `order` it is that of the ranks, and for each rank that of its needed ids. A rank that adds up its
/// own contributions first has a sum that depends on the partition, though. For the same bits on any number
/// of ranks let each contribution have a needed id of its own (an id may be needed more than once, and by the
/// rank that owns it), and number the contributions for the whole model: the cell that they come from, say.
struct Addition {
    Number type = Number::float64;
    /// Order of each needed id: contributions to one value are added in ascending order, equal ones as without.
    /// Empty on all ranks that need anything, or on none.
    std::vector<std::int64_t> order;
};

template <class T>
std::shared_ptr<const Addition> addition_of(std::vector<std::int64_t> order = {}) {
    return std::make_shared<const Addition>(Addition{number_of<T>(), std::move(order)});
}

/// Argument with which the transports ask the following.
struct AddedField {
    std::size_t bytes = 0, stride = 0;
    const Addition* addition = nullptr;
};

/// Adds whole messages of a reversed plan to the fields, in the order of their additions.
class Adder {
public:
    /// Tells the owners the order. Throws base::Refusal on all ranks if an order is not as long as the needed
    /// ids, some ranks lack one, or the bytes of an id are no whole number of values. Collective.
    Adder(const Plan& reversed, std::span<const AddedField> fields);

    /// messages[k]: of reversed.sources()[k], all fields one after the other.
    void add(std::span<std::byte* const> bases, std::span<const std::byte* const> messages) const;

private:
    /// One block of a message, and whose it is.
    struct Contribution {
        std::int32_t owned = 0;  // local index
        std::int32_t message = 0;
        std::size_t offset = 0;
    };
    struct Sums {
        std::size_t bytes = 0, stride = 0;
        Number type = Number::float64;
        std::vector<Contribution> contributions;  // in the order of adding
    };
    std::vector<Sums> fields_;
};

}  // namespace groundswell::halo
