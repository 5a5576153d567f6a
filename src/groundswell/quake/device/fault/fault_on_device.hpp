#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/device/fault/programs.hpp"
#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

/// Faces of faults on a device, beside the elements there, in the order of their streams.
template <class Real>
class FaultOnDevice final : public FaultElsewhere {
public:
    /// Whether these have a form for devices: not where slip follows series in time, nor where a function gives the
    /// friction or weakening_time is kept.
    static bool has_form(const Fault& fault);

    /// Both must outlive this.
    FaultOnDevice(Fault& fault, ElementsOnDevice<Real>& elements);
    ~FaultOnDevice() override;

    void look(int block) override;
    void solve(std::int32_t begin, std::int32_t end, const FaultStep& step) override;
    void bring_states(std::span<const std::int32_t> batches) override;
    void bring_heat() override;
    void bring_sides(std::int32_t begin, std::int32_t end) override;

    /// Where the device has a side that Fault has here.
    double* there(const double* side);

private:
    struct Memory;
    std::span<double> sides_of_cluster();
    void copy_out(std::span<double> to, std::span<const double> from, std::size_t begin, std::size_t end);

    Fault& fault_;
    ElementsOnDevice<Real>& elements_;
    FaultParts parts_;
    FaultPrograms programs_;
    std::vector<char> is_here_;  // [batch] whether its state is what it is there
    std::unique_ptr<Memory> memory_;
};

}  // namespace groundswell::quake
