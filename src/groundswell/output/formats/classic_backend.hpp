#pragma once

#include <map>
#include <span>
#include <string>

#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/classic_header.hpp"

namespace groundswell::output {

/// Shared parts of the libraries that write CDF-5: in this format every value has its place from the beginning,
/// and readers see as many records as the header counts.
class ClassicBackend : public Backend {
public:
    using Backend::Backend;

    void create_unnamed(const std::map<std::string, std::string>& hints) final;
    std::int64_t reopen(const std::map<std::string, std::string>& hints, double last_time) final;
    void begin(std::int64_t record, std::int64_t records, const std::string& what) final;
    void write_from_root(const Target& target, std::span<std::byte> bytes) final;
    std::vector<RecordPlace> places_among(std::int64_t records) const final;
    std::int64_t bytes_of_records(std::int64_t records) const final;
    void write_records(std::int64_t first, const RecordSplit& split, std::span<std::byte> bytes,
                       std::span<const double> times) final;
    void check_published(std::int64_t records) final;
    void withdraw(std::int64_t records) final;
    void check_closed(std::int64_t records) final;

protected:
    /// Collective: make and define the file, or open it for appending. RunFailure on all ranks together.
    virtual void create_file(const std::map<std::string, std::string>& hints) = 0;
    virtual void open_file(const std::map<std::string, std::string>& hints) = 0;

    /// Writes from this rank, with the hooks of the tests around it, and notes it for verification.
    void write_here(const Target& target, std::span<std::byte> bytes);
    /// The lowest write call, of a target's rows in one segment. Throws RunFailure.
    virtual void put(const Target& target, std::int64_t segment, std::span<std::byte> bytes) = 0;
    /// The same for bytes as they stand in the file.
    virtual void put_bytes(std::int64_t offset, std::span<const std::byte> bytes,
                           const std::string& what) = 0;
    /// Lets the library know that there are so many records, the last of this time, which it did not write.
    virtual void note_records(std::int64_t, double) {}

    /// Byte of the file where the first value of a target stands in a segment.
    std::int64_t offset_of(const Target& target, std::int64_t segment) const;
    const ClassicHeader& layout() const { return layout_; }
    /// The least size of a file with so many records. The first one may begin some bytes behind what is
    /// before it, and without any the file may end there.
    static std::int64_t end_of_file(const ClassicHeader& header, std::int64_t records) {
        return records == 0 ? header.fixed_end : header.end_of_record(records);
    }

private:
    std::int64_t cut(double last_time) const;
    void share_layout();

    ClassicHeader layout_;
};

}  // namespace groundswell::output
