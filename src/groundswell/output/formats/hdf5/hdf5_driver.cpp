#include "groundswell/output/formats/hdf5/hdf5_driver.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace groundswell::output {

namespace {

constexpr std::int64_t block_bytes = 16 << 10;  // metadata come in small pieces: they share blocks
constexpr std::int64_t alignment = 8;
// Between the last metadata and the end of the file, or else the library would make them longer by itself,
// beyond what it was given here.
constexpr std::int64_t gap = 8;

std::int64_t rounded(std::int64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Record of an open file for the library; its own part stands first.
struct OpenFile {
    H5FD_t own;
    Hdf5Memory* memory;
};

Hdf5Memory& memory_of(const H5FD_t* file) {
    return *reinterpret_cast<const OpenFile*>(file)->memory;
}

/// Runs what must not throw into the library, which is written in C.
template <class Result, class F>
Result guarded(Result failure, F&& body) {
    try {
        return body();
    } catch (...) {
        return failure;
    }
}

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
    const auto* info = static_cast<Hdf5Memory* const*>(H5Pget_driver_info(access));
    if (info == nullptr) return nullptr;
    auto* file = new (std::nothrow) OpenFile{};
    if (file == nullptr) return nullptr;
    file->memory = *info;
    return &file->own;
}

herr_t close_file(H5FD_t* file) {
    delete reinterpret_cast<OpenFile*>(file);
    return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t bytes) {
    return guarded(HADDR_UNDEF, [&]() -> haddr_t {
        const std::int64_t begin = memory_of(file).allocate(type, static_cast<std::int64_t>(bytes));
        return begin < 0 ? HADDR_UNDEF : static_cast<haddr_t>(begin);
    });
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) {
    return static_cast<haddr_t>(memory_of(file).end);
}

// The library lowers the end when it gives metadata up that stand there, but values may stand there too.
herr_t set_end(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    memory_of(file).end = std::max(memory_of(file).end, static_cast<std::int64_t>(end));
    return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t begin, std::size_t bytes, void* to) {
    memory_of(file).read(static_cast<std::int64_t>(begin), bytes, static_cast<std::byte*>(to));
    return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t begin, std::size_t bytes, const void* from) {
    return guarded(herr_t{-1}, [&] {
        const auto* values = static_cast<const std::byte*>(from);
        const bool kept = memory_of(file).write(static_cast<std::int64_t>(begin), bytes, values);
        // Values are in the file already. The global heap, to which dimensions of variables refer, comes under their type.
        return kept || type == H5FD_MEM_DRAW ? 0 : -1;
    });
}

const H5FD_class_t& driver_class() {
    static const H5FD_class_t driver = [] {
        H5FD_class_t each{};
#if H5_VERSION_GE(1, 13, 0)
        each.version = H5FD_CLASS_VERSION;
        each.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 64);
#endif
        each.name = "groundswell";
        each.maxaddr = haddr_t{1} << 62;
        each.fc_degree = H5F_CLOSE_WEAK;
        each.fapl_size = sizeof(void*);  // the list holds a pointer to an Hdf5Memory
        each.open = open_file;
        each.close = close_file;
        each.query = query;
        each.alloc = allocate;
        each.get_eoa = get_end;
        each.set_eoa = set_end;
        each.get_eof = get_end;
        each.read = read;
        each.write = write;
        std::fill(std::begin(each.fl_map), std::end(each.fl_map), H5FD_MEM_DEFAULT);
        return each;
    }();
    return driver;
}

}  // namespace

hid_t Hdf5Memory::access_properties() {
    static const hid_t driver = H5FDregister(&driver_class());
    if (driver < 0) return driver;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    Hdf5Memory* const here = this;
    if (access >= 0 && H5Pset_driver(access, driver, &here) < 0) {
        H5Pclose(access);
        return -1;
    }
    return access;
}

std::int64_t Hdf5Memory::allocate(H5FD_mem_t type, std::int64_t bytes) {
    std::int64_t begin = -1;
    if (type == H5FD_MEM_SUPER) {
        if (!superblock_.empty() || bytes > hdf5_begin) return -1;
        superblock_.resize(bytes);
        begin = 0;
    } else if (type == H5FD_MEM_DRAW && next_values_ >= 0) {  // texts of any length come under this type too
        begin = std::exchange(next_values_, -1);
    } else {
        const std::int64_t wanted = rounded(bytes);
        if (blocks_.empty() ||
            used_ + wanted + gap > static_cast<std::int64_t>(blocks_.back().bytes.size())) {
            // The rest of the last block stays empty, so that blocks are whole and gaps of their size fit
            // them.
            const std::int64_t size = (wanted + gap + block_bytes - 1) / block_bytes * block_bytes;
            blocks_.push_back({space_.take(size), std::vector<std::byte>(size)});
            used_ = 0;
        }
        begin = blocks_.back().begin + used_;
        used_ += wanted;
        end = std::max(end, begin + wanted + gap);
    }
    end = std::max(end, begin + bytes);
    return begin;
}

void Hdf5Memory::read(std::int64_t begin, std::size_t bytes, std::byte* to) const {
    std::fill_n(to, bytes, std::byte{0});
    const auto copy = [&](std::int64_t at, const std::vector<std::byte>& from) {
        const std::int64_t first = std::max(begin, at);
        const std::int64_t last =
            std::min(begin + static_cast<std::int64_t>(bytes), at + static_cast<std::int64_t>(from.size()));
        if (first < last)
            std::memcpy(to + (first - begin), from.data() + (first - at),
                        static_cast<std::size_t>(last - first));
    };
    copy(0, superblock_);
    for (const Hdf5Image::Block& block : blocks_) copy(block.begin, block.bytes);
}

bool Hdf5Memory::write(std::int64_t begin, std::size_t bytes, const std::byte* from) {
    const auto fits = [&](std::int64_t at, const std::vector<std::byte>& into) {
        return begin >= at &&
               begin + static_cast<std::int64_t>(bytes) <= at + static_cast<std::int64_t>(into.size());
    };
    if (fits(0, superblock_)) {
        std::memcpy(superblock_.data() + begin, from, bytes);
        return true;
    }
    for (Hdf5Image::Block& block : blocks_) {
        if (!fits(block.begin, block.bytes)) continue;
        std::memcpy(block.bytes.data() + (begin - block.begin), from, bytes);
        return true;
    }
    return false;
}

Hdf5Image Hdf5Memory::take() {
    return {std::move(blocks_), std::move(superblock_)};
}

}  // namespace groundswell::output
