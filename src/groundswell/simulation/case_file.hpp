#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/base/time.hpp"

/// Reads a case file (TOML) and knows, from the questions asked, every key there is.
///
/// A program reads each section through a Section object. Every question carries the meaning, unit, range,
/// default and source of the key; so the same code that reads a case also yields the reference of all keys
/// (`CaseReader::describe`), finds keys that nobody asked for, and tells what value each parameter took.
/// Refusals are of the form "FILE:LINE: KEY = VALUE: expected …". Not collective: one rank reads, or all read
/// alike.
namespace groundswell::simulation {

/// Description of a key beside its name and default.
struct KeyText {
    std::string_view meaning;
    std::string_view unit = "";
    std::string_view source = "";  ///< paper and equation, for coefficients
    /// Words of the reference in place of "required" for a key that is asked for only where it is given.
    std::string_view otherwise = "";
};

/// Inclusive bounds of a number.
struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
};

/// One row of the reference, and of `run --explain`.
struct KeyRecord {
    std::string key;   ///< dotted, with [] for an array of tables: "output.map[].every"
    std::string type;  ///< "number", "integer", "duration", "one of …"
    std::string unit, range, default_text, meaning, source;
    std::string value;   ///< what this case uses; empty when only described
    bool given = false;  ///< stands in the case file or in an override
};

/// A key that stands in the case file or an override with another value than its default.
struct Setting {
    std::string key;                 ///< with the numbers of tables in an array, from 0: "fault.set[1].box.x"
    std::string value;               ///< as people write it
    std::vector<std::string> files;  ///< that it names, where it is a path or several
};

class CaseReader;

/// One table of the case file. Cheap to copy; valid as long as its reader.
class Section {
public:
    bool has(std::string_view key) const;
    /// True when no case is read and the answers are only stand-ins: callers skip checks between keys.
    bool describing() const;

    /// A sub-table; an absent one reads as empty.
    Section section(std::string_view key) const;
    /// An array of tables; one empty table when describing.
    std::vector<Section> sections(std::string_view key) const;

    // With a default the key is optional; without, its absence is refused.
    double number(std::string_view key, std::optional<double> fallback, Range range, KeyText text) const;
    int integer(std::string_view key, std::optional<int> fallback, Range range, KeyText text) const;
    bool boolean(std::string_view key, std::optional<bool> fallback, KeyText text) const;
    std::string text(std::string_view key, std::optional<std::string> fallback, KeyText text) const;
    /// A text in quotes, or a number as it stands there.
    std::string text_or_number(std::string_view key, std::optional<std::string> fallback, KeyText text) const;
    /// A text in quotes or a number as it stands there, alone or (true) in a list of them.
    std::pair<std::vector<std::string>, bool> words_or_list(std::string_view key, const std::string& fallback,
                                                            KeyText text) const;
    /// A sub-table whose keys the case chooses; each value (text, number, true or false) as text.
    std::map<std::string, std::string> free_table(std::string_view key, KeyText text) const;
    /// One of the given words.
    std::string choice(std::string_view key, std::optional<std::string> fallback,
                       const std::vector<std::string>& words, KeyText text) const;
    /// The value of one of the words.
    template <class Value>
    Value choice(std::string_view key, std::optional<std::string> fallback,
                 const std::vector<std::pair<std::string, Value>>& values, KeyText text) const {
        std::vector<std::string> words;
        for (const auto& [word, value] : values) words.push_back(word);
        const std::string chosen = choice(key, std::move(fallback), words, text);
        return values[static_cast<std::size_t>(std::ranges::find(words, chosen) - words.begin())].second;
    }
    /// A path, relative to the folder of the case file.
    std::string path(std::string_view key, std::optional<std::string> fallback, KeyText text) const;
    /// One path or a list of paths; empty when absent.
    std::vector<std::string> paths(std::string_view key, KeyText text) const;
    base::Instant instant(std::string_view key, KeyText text) const;
    /// Positive duration; empty stands for the word `word` ("auto", "never"), which is the default if
    /// `fallback` is empty.
    std::optional<base::Duration> duration_or(std::string_view key, std::string_view word,
                                              std::optional<base::Duration> fallback, KeyText text) const;
    /// A list of different words out of `known`; any words when `known` is empty.
    std::vector<std::string> words(std::string_view key, const std::vector<std::string>& fallback,
                                   const std::vector<std::string>& known, KeyText text) const;
    /// A list of exactly `count` numbers (any number of them when count is 0); empty when absent.
    std::vector<double> numbers(std::string_view key, std::size_t count, KeyText text) const;
    /// A list of rows of finite numbers, one for each column; empty when absent. `columns`: what they are, for people.
    std::vector<std::vector<double>> rows(std::string_view key, const std::vector<std::string>& columns,
                                          KeyText text) const;
    /// A list of [longitude, latitude] pairs.
    std::vector<std::pair<double, double>> positions(std::string_view key, KeyText text) const;

    /// Refuses the value of a key for a reason that only the caller can know; names file and line.
    [[noreturn]] void refuse(std::string_view key, std::string_view expected) const;
    /// "FILE:LINE" of a key, or of the section where the key is not given: for refusals after reading.
    std::string place(std::string_view key) const;

private:
    friend class CaseReader;
    struct Node;
    explicit Section(std::shared_ptr<Node> node) : node_(std::move(node)) {}
    std::shared_ptr<Node> node_;
};

class CaseReader {
public:
    /// Reads `file`, then applies overrides "dotted.key=value" (a number in the dotted key counts tables of
    /// an array from 0: "output.map.0.every=30min"). Refuses a file that cannot be read or is not TOML,
    /// naming the line.
    CaseReader(const std::string& file, const std::vector<std::string>& overrides);
    /// A reader without a case: all questions are answered by stand-ins and recorded.
    static CaseReader describe();
    ~CaseReader();
    CaseReader(CaseReader&&) noexcept;

    Section root() const;
    const std::string& file() const;
    /// Folder of the case file, "." if it has none.
    std::string folder() const;
    /// The text of the file followed by the overrides, for the record in output files.
    std::string text() const;

    /// Refuses the first key that no question asked for, naming the nearest known key. Call after reading.
    void refuse_unknown_keys() const { refuse_unknown_keys(*this); }
    /// The same with the keys that another reader was asked for (describe() knows all, however early reading
    /// stopped).
    void refuse_unknown_keys(const CaseReader& asked) const;
    /// Every key asked for, in the order of asking, without repetition.
    const std::vector<KeyRecord>& keys() const;
    /// Settings of the case, in the order of its tables. Call after reading.
    std::vector<Setting> settings() const;

private:
    CaseReader();
    struct State;
    std::unique_ptr<State> state_;
    friend class Section;
};

}  // namespace groundswell::simulation
