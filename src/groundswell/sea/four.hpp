#pragma once

#include "groundswell/sea/lanes.hpp"

namespace groundswell::sea::lanes {

/// Four neighbouring bins, which one lane of a device works on, with the operations of a register: what they have in common is then
/// read once, and bins are read four at a time. They stand at addresses that four of them divide.
struct alignas(4 * sizeof(Real)) Four {
    static constexpr int values = 4;
    Real at[values] = {};

    constexpr Four() = default;
    constexpr explicit Four(Real each) : at{each, each, each, each} {}
    constexpr Four(Real a, Real b, Real c, Real d) : at{a, b, c, d} {}

    /// body(values of each of them).
    template <class Body, class... Fours>
    static constexpr Four of(const Body& body, const Fours&... all) {
        return {body(all.at[0]...), body(all.at[1]...), body(all.at[2]...), body(all.at[3]...)};
    }
};

constexpr Four operator+(const Four& a, const Four& b) {
    return Four::of([](Real x, Real y) { return x + y; }, a, b);
}
constexpr Four operator-(const Four& a, const Four& b) {
    return Four::of([](Real x, Real y) { return x - y; }, a, b);
}
constexpr Four operator*(const Four& a, const Four& b) {
    return Four::of([](Real x, Real y) { return x * y; }, a, b);
}
constexpr Four operator*(Real a, const Four& b) {
    return Four(a) * b;
}
constexpr Four multiply_add(const Four& a, const Four& b, const Four& c) {
    return Four::of([](Real x, Real y, Real z) { return multiply_add(x, y, z); }, a, b, c);
}
constexpr Four multiply_subtract(const Four& a, const Four& b, const Four& c) {
    return Four::of([](Real x, Real y, Real z) { return multiply_subtract(x, y, z); }, a, b, c);
}
constexpr Four minimum(const Four& a, const Four& b) {
    return Four::of([](Real x, Real y) { return minimum(x, y); }, a, b);
}
constexpr Four maximum(const Four& a, const Four& b) {
    return Four::of([](Real x, Real y) { return maximum(x, y); }, a, b);
}

/// The values below and above those of a row, where `before` and `after` stand beside the row.
constexpr Four below(const Four& own, Real before) {
    return {before, own.at[0], own.at[1], own.at[2]};
}
constexpr Four above(const Four& own, Real after) {
    return {own.at[1], own.at[2], own.at[3], after};
}
constexpr Real below(Real /*own*/, Real before) {
    return before;
}
constexpr Real above(Real /*own*/, Real after) {
    return after;
}
constexpr bool any_positive(const Four& a) {
    return maximum(maximum(a.at[0], a.at[1]), maximum(a.at[2], a.at[3])) > 0;
}
constexpr bool any_positive(Real a) {
    return a > 0;
}

}  // namespace groundswell::sea::lanes
