#include "groundswell/exec/device/budget/accounting_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"

namespace groundswell::exec {

namespace {

std::string in_gibibytes(std::size_t bytes) {
    return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / (1 << 30));
}

}  // namespace

void* AccountingDevice::allocate(const std::string& name, std::size_t bytes, const Filling& filling) {
    const std::size_t before = wanted_;
    wanted_ += bytes;
    if (missing_.empty()) {
        const std::size_t left = device_->free_bytes();
        try {
            return device_->allocate(name, bytes, filling);
        } catch (const base::Refusal&) {
            if (is_complete_) throw;
            room_ = before + left;
        }
    }
    return missing_.insert(std::make_unique<char>()).first->get();
}

void AccountingDevice::release(void* memory) {
    const auto is_missing = [memory](const auto& one) { return one.get() == memory; };
    if (std::ranges::none_of(missing_, is_missing)) device_->release(memory);
}

void AccountingDevice::require_memory() {
    is_complete_ = true;
    if (missing_.empty()) return;
    const double share = static_cast<double>(room_) / static_cast<double>(wanted_);
    base::refuse(limits().name, "memory of a rank", in_gibibytes(wanted_),
                 fmt::format("at most the {} that it has left: a mesh of no more than {:.2f} times as many "
                             "cells, or {:.2f} times as many ranks, each with a GPU",
                             in_gibibytes(room_), std::floor(100.0 * share) / 100.0,
                             std::ceil(100.0 / share) / 100.0));
}

}  // namespace groundswell::exec
