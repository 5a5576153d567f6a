#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

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
        : ids_(plan.owned() + plan.needed()), values_(values), stride_(stride == 0 ? values : stride) {
        const std::size_t bytes = static_cast<std::size_t>(ids_) * stride_ * sizeof(T);
        data_.reset(
            static_cast<T*>(::operator new (bytes == 0 ? alignment : bytes, std::align_val_t{alignment})));
#pragma omp parallel for schedule(static)
        for (std::int32_t i = 0; i < ids_; ++i) {
            std::memset(static_cast<void*>(data_.get() + static_cast<std::size_t>(i) * stride_), 0,
                        stride_ * sizeof(T));
        }
    }

    T* data() {
        return data_.get();
    }
    const T* data() const {
        return data_.get();
    }

    /// The values of local index i.
    std::span<T> operator[](std::int32_t i) {
        return {data() + static_cast<std::size_t>(i) * stride_, values_};
    }
    std::span<const T> operator[](std::int32_t i) const {
        return {data() + static_cast<std::size_t>(i) * stride_, values_};
    }

    std::int32_t ids() const {
        return ids_;
    }
    std::size_t values() const {
        return values_;
    }
    std::size_t stride() const {
        return stride_;
    }
    Channel channel() const {
        return {values_ * sizeof(T), stride_ * sizeof(T)};
    }

    static constexpr std::size_t alignment = 64;

private:
    struct Release {
        void operator()(T* p) const {
            ::operator delete (static_cast<void*>(p), std::align_val_t{alignment});
        }
    };
    std::int32_t ids_;
    std::size_t values_, stride_;
    std::unique_ptr<T, Release> data_;
};

}  // namespace groundswell::halo
