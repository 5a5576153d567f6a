#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// Storage of one field for the owned and then the needed ids of a plan. It is the halo's to hand out,
/// because the halo knows which memory its transports reach best. Begins on a 64-byte boundary; zero at
/// first; touched first by the threads that will compute on it (ids shared out statically, as
/// exec::for_each_cell does).
template <class T>
class Field {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    /// `values` of an id are exchanged; ids stand `stride` values apart (0: no padding). Local, not
    /// collective.
    Field(const Plan& plan, std::size_t values, std::size_t stride = 0)
        : ids_(plan.owned() + plan.needed()),
          values_(values),
          stride_(stride == 0 ? values : stride),
          data_(exec::make_cell_array<T>(ids_, stride_)) {}

    T* data() { return data_.data(); }
    const T* data() const { return data_.data(); }

    /// The values of local index i.
    std::span<T> operator[](std::int32_t i) {
        return {data() + static_cast<std::size_t>(i) * stride_, values_};
    }
    std::span<const T> operator[](std::int32_t i) const {
        return {data() + static_cast<std::size_t>(i) * stride_, values_};
    }

    std::int32_t ids() const { return ids_; }
    std::size_t values() const { return values_; }
    std::size_t stride() const { return stride_; }
    Channel channel() const { return {values_ * sizeof(T), stride_ * sizeof(T)}; }

private:
    std::int32_t ids_;
    std::size_t values_, stride_;
    exec::Array<T> data_;
};

}  // namespace groundswell::halo
