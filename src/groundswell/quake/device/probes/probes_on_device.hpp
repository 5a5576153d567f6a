#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/device/sea_on_device.hpp"
#include "groundswell/quake/elements/samplers.hpp"

namespace groundswell::quake {

/// Probes that see waves on a device, beside the elements there, in the order of their stream. Only what they see comes back.
template <class Real>
class ProbesOnDevice final : public ProbesElsewhere {
public:
    /// `sea`: whose surface comes back too where they look, null: there is none. All must outlive this. Elements must be such that
    /// they can_look().
    ProbesOnDevice(Samplers<Real>& samplers, ElementsOnDevice<Real>& elements, SeaOnDevice<Real>* sea);
    ~ProbesOnDevice() override;

    std::span<const double> look(const LooksOfProbes& looks) override;

private:
    template <class T>
    using Array = std::optional<exec::DeviceArray<T>>;
    // Room for as many values, at the beginning of the array; it is only used within look().
    template <class T>
    std::span<T> room(Array<T>& array, const char* name, std::size_t values);
    // The same with these values.
    template <class T>
    std::span<const T> copy(Array<T>& array, const char* name, std::span<const T> values);

    Samplers<Real>& samplers_;
    ElementsOnDevice<Real>& elements_;
    SeaOnDevice<Real>* sea_;
    Array<std::int32_t> batch_, begin_;
    Array<ProbeLook> looks_;
    Array<double> basis_, seen_;
    std::vector<double> here_;  // what was seen
};

}  // namespace groundswell::quake
