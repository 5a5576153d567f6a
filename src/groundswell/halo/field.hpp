#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/layout.hpp"
#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// Location of the values of a field: in memory of this rank alone, or where its neighbours on the same host
/// can read them as well, which saves the transport `shared` a copy.
enum class Memory { own, shared };

/// Storage of one field for the owned and the needed ids of a plan, or of several. It is the halo's to hand out,
/// because the halo knows which memory its transports reach best. Begins on a 64-byte boundary and ends with
/// 64 readable spare bytes; zero at first; touched first by the threads that will compute on it (ids shared
/// out statically, as exec::for_each_cell does).
template <class T>
class Field {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    /// `values` of an id are exchanged; ids stand `stride` values apart (0: no padding).
    ///
    /// With Memory::own local, not collective. With Memory::shared collective over layout.comm(), and the
    /// field must live on every rank for as long as any rank exchanges it; where /dev/shm of any host lacks
    /// room all ranks keep it in own memory, with one warning that tells the size wanted. `layout`: a plan, or
    /// what several plans have in common.
    Field(const Layout& layout, std::size_t values, std::size_t stride = 0, Memory memory = Memory::own)
        : ids_(layout.ids()), values_(values), stride_(stride == 0 ? values : stride) {
        const std::size_t bytes = static_cast<std::size_t>(ids_) * stride_ * sizeof(T) + spare_bytes;
        if (memory == Memory::shared) shared_ = share_field_memory(layout, bytes);
        if (!shared_) {
            own_ = exec::make_cell_array<T>(ids_, stride_);
            data_ = own_.data();
            return;
        }
        data_ = reinterpret_cast<T*>(shared_.get());
        exec::for_each_cell(0, ids_, [&](std::int32_t id) {
            T* const block = data_ + static_cast<std::size_t>(id) * stride_;
            for (std::size_t i = 0; i < stride_; ++i) block[i] = T{};
        });
    }

    T* data() { return data_; }
    const T* data() const { return data_; }

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

    /// Where it lies: the same on all ranks.
    Memory memory() const { return shared_ ? Memory::shared : Memory::own; }

private:
    static constexpr std::size_t spare_bytes = 64;

    std::int32_t ids_;
    std::size_t values_, stride_;
    exec::Array<T> own_;
    std::shared_ptr<std::byte> shared_;
    T* data_ = nullptr;
};

}  // namespace groundswell::halo
