#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

// CLI11, which reads command lines, takes ten seconds to compile wherever it is used: only command_line.cpp knows it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace groundswell::simulation {

/// An option or argument that was added to a command: what may be said of it.
class Option {
public:
    explicit Option(CLI::Option& option) : option_(&option) {}
    Option& required();
    Option& type_name(const std::string& name);
    Option& shows_default();    ///< in the help: the value that it has now
    Option& one_at_a_time();    ///< may be repeated, each time with one value
    Option& comma_separated();  ///< several values may stand in one word
    Option& within(int least, int most);
    Option& within(double least, double most);
    Option& above_zero();
    Option& not_below_zero();
    Option& one_of(const std::vector<std::string>& words);
    /// Replaces a value that is given.
    Option& replace(const std::function<std::string(const std::string&)>& replacement);

private:
    CLI::Option* option_;
};

/// A command with its options.
class Command {
public:
    explicit Command(CLI::App& app) : app_(&app) {}
    Command add_command(const std::string& name, const std::string& description);
    void footer(const std::string& text);  ///< of its help

    /// `name` is that of an argument, or begins with dashes. `target` has the value that holds without it, and must outlive
    /// the reading. Target: std::string, int, std::int64_t, double, or a vector of strings or integers.
    template <class Target>
    Option option(const std::string& name, Target& target, const std::string& help);
    void flag(const std::string& name, bool& target, const std::string& help);

protected:
    CLI::App* app_;
};

/// The option --json of a command. `target` must outlive the reading of the command line.
void add_json_option(Command& command, std::string& target);

/// Outcome of reading a command line.
struct Reading {
    enum class Outcome { understood, question, wrong };
    Outcome outcome = Outcome::understood;
    std::string text;  ///< the answer to the question (--help, --version), or what is wrong
};

/// The whole of a program's command line.
class CommandLine : public Command {
public:
    explicit CommandLine(const std::string& description);
    ~CommandLine();
    CommandLine& operator=(CommandLine&&) = delete;  // neither copied nor moved

    void name(const std::string& program);
    void version(const std::string& text);  ///< the answer to --version
    void require_command();
    bool chose(const std::string& command) const;  ///< in the line that was read
    Reading read(int argc, const char* const* argv);

private:
    std::unique_ptr<CLI::App> program_;
};

}  // namespace groundswell::simulation
