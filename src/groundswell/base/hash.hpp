#pragma once

#include <bit>
#include <cstdint>

namespace groundswell::base {

/// 64-bit hash of words in their order. FNV-1a over 64-bit words with a final mix (Fowler, Noll, Vo;
/// finaliser of MurmurHash3): enough to tell meshes apart, not meant against forgery.
class Hash {
public:
    Hash& operator<<(std::int64_t word) {
        state_ = (state_ ^ static_cast<std::uint64_t>(word)) * 0x100000001b3u;
        state_ ^= state_ >> 32;
        return *this;
    }
    Hash& operator<<(double value) { return *this << std::bit_cast<std::int64_t>(value); }

    std::uint64_t value() const {
        std::uint64_t mixed = state_ ^ (state_ >> 33);
        mixed *= 0xff51afd7ed558ccdu;
        return mixed ^ (mixed >> 33);
    }

private:
    std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace groundswell::base
