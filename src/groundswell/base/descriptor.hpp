#pragma once

#include <unistd.h>

#include <utility>

namespace groundswell::base {

/// A file descriptor that closes itself; negative: none.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (is_open()) ::close(number_);
    }
    bool is_open() const { return number_ >= 0; }
    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

}  // namespace groundswell::base
