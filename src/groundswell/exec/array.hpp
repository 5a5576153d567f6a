#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace groundswell::exec {

/// Asks the system for large pages behind memory that nothing has been written to yet: a wish, and of no effect below a few
/// megabytes. With pages of 4 kB a kernel that reads a state out of the cache waits for addresses as well.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// Memory that SIMD loads and the threads' first touch can rely on: starts on a 64-byte boundary, is not
/// initialised (the thread that computes on a cell must write it first), has a fixed length, and ends with
/// 64 readable spare bytes so that a full vector may be loaded at the last value.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Array() = default;
    explicit Array(std::size_t size) : size_(size) {
        const std::size_t bytes = (size * sizeof(T) + 64 + 63) / 64 * 64;
        data_.reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
        if (!data_) throw std::bad_alloc();
        ask_for_large_pages(data_.get(), bytes);
    }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }
    std::span<T> span() { return {data(), size_}; }
    std::span<const T> span() const { return {data(), size_}; }

private:
    struct Free {
        void operator()(T* pointer) const { std::free(pointer); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

}  // namespace groundswell::exec
