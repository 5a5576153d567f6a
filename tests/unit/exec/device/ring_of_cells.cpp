#include "unit/exec/device/ring_of_cells.hpp"

#include <cmath>

namespace groundswell::test {

namespace {
constexpr std::size_t own_values = std::size_t{RingOfCells::cells} * RingOfCells::bins;
}

RingOfCells::RingOfCells(exec::Device& device, Mistake mistake)
    : device_(device),
      mistake_(mistake),
      compute_(device.make_stream()),
      exchange_(device.make_stream()),
      weight_values_(bins, 0.9F) {
    for (std::size_t i = 0; i < 2 * own_values; ++i)
        start_.push_back(1 + std::sin(static_cast<float>(i * i)));
}

std::vector<float> RingOfCells::run() {
    fill();
    for (int step = 0; step < steps; ++step) {
        exchange_halos(step);
        for (Part& part : parts_) smooth(part);
        if (mistake_ == Mistake::freed_memory && step + 1 == steps) weight_.reset();
        for (Part& part : parts_) std::swap(part.old, part.next);
    }
    std::vector<float> result(2 * own_values, -1.0F);
    for (int p = 0; p < 2; ++p)
        if (mistake_ != Mistake::missing_copy_back || p == 0)
            device_.copy_out(compute_, &result[p * own_values], parts_[p].old->span().data() + bins,
                             own_values * sizeof(float));
    device_.synchronise(compute_);
    return result;
}

void RingOfCells::fill() {
    if (mistake_ == Mistake::uninitialised_read)
        weight_ = std::make_unique<Array>(device_, "weight", std::size_t{bins});
    else
        weight_ = std::make_unique<Array>(device_, "weight", compute_, weight_values_);
    for (int p = 0; p < 2; ++p) {
        for (auto* array : {&parts_[p].old, &parts_[p].next})
            *array = std::make_unique<Array>(device_, "state", own_values + 2 * bins);
        device_.copy_in(compute_, parts_[p].old->span().data() + bins, &start_[p * own_values],
                        own_values * sizeof(float));
    }
}

void RingOfCells::exchange_halos(int step) {
    device_.wait(exchange_, device_.record(compute_));
    for (int p = 0; p < 2; ++p) {
        if (mistake_ == Mistake::forgotten_halo && step == 2 && p == 1) continue;
        float* const to = parts_[p].old->span().data();
        const float* const from = parts_[1 - p].old->span().data();
        const std::size_t bytes = bins * sizeof(float);
        device_.copy_within(exchange_, to, from + cells * bins, bytes);
        device_.copy_within(exchange_, to + (cells + 1) * bins, from + bins, bytes);
    }
    if (mistake_ != Mistake::missing_event) device_.wait(compute_, device_.record(exchange_));
}

void RingOfCells::smooth(Part& part) {
    SmoothCell kernel{part.old->span(), weight_->span(), part.next->span(),
                      mistake_ != Mistake::race_between_lanes};
    exec::Launch launch{"smooth", cells, lanes, scratch_bytes};
    if (mistake_ == Mistake::host_pointer) kernel.weight = weight_values_;
    if (mistake_ == Mistake::much_scratch) launch.scratch_bytes = device_.limits().scratch_bytes + 4;
    if (mistake_ == Mistake::block_order) {
        kernel.next = part.old->span();
        std::swap(part.old, part.next);
    }
    const bool strays = mistake_ == Mistake::wrong_stream && &part == &parts_[1];
    device_.launch(strays ? exchange_ : compute_, launch, {exec::run_block<SmoothCell>},
                   exec::Arguments::of(kernel));
}

}  // namespace groundswell::test
