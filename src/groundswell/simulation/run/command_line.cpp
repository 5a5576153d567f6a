#include "groundswell/simulation/run/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <sstream>

namespace groundswell::simulation {

namespace {

/// Checks of an option's number whose message a person can read: those of CLI11 print the largest double in full, and its
/// range lets NaN through.
template <class Fits>
CLI::Validator number_check(const std::string& kind, Fits fits, const std::string& wrong) {
    return {[fits, wrong](std::string& text) {
                double value = 0.0;
                if (!CLI::detail::lexical_cast(text, value)) return "'" + text + "' is not a number";
                return fits(value) ? std::string() : text + " is " + wrong;
            },
            kind};
}

}  // namespace

Option& Option::required() {
    option_->required();
    return *this;
}

Option& Option::type_name(const std::string& name) {
    option_->type_name(name);
    return *this;
}

Option& Option::shows_default() {
    option_->capture_default_str();
    return *this;
}

Option& Option::one_at_a_time() {
    option_->allow_extra_args(false);
    return *this;
}

Option& Option::comma_separated() {
    option_->delimiter(',');
    return *this;
}

Option& Option::within(int least, int most) {
    option_->check(CLI::Range(least, most));
    return *this;
}

Option& Option::within(double least, double most) {
    std::ostringstream range;
    range << least << " … " << most;
    option_->check(number_check(
        range.str(), [least, most](double value) { return value >= least && value <= most; },
        "not within " + range.str()));
    return *this;
}

Option& Option::above_zero() {
    option_->check(number_check(
        "POSITIVE", [](double value) { return value > 0.0; }, "not above 0"));
    return *this;
}

Option& Option::not_below_zero() {
    option_->check(number_check(
        "NONNEGATIVE", [](double value) { return value >= 0.0; }, "below 0"));
    return *this;
}

Option& Option::one_of(const std::vector<std::string>& words) {
    option_->check(CLI::IsMember(words));
    return *this;
}

Option& Option::replace(const std::function<std::string(const std::string&)>& replacement) {
    option_->transform(replacement);
    return *this;
}

Command Command::add_command(const std::string& name, const std::string& description) {
    return Command(*app_->add_subcommand(name, description));
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

template <class Target>
Option Command::option(const std::string& name, Target& target, const std::string& help) {
    return Option(*app_->add_option(name, target, help));
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, std::int64_t&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::vector<int>&, const std::string&);

void Command::flag(const std::string& name, bool& target, const std::string& help) {
    app_->add_flag(name, target, help);
}

void add_json_option(Command& command, std::string& target) {
    command.option("--json", target, "also write the report to this file; - prints it and nothing else")
        .type_name("FILE")
        .replace([](const std::string& given) {
            // A report alone, for the next program in the pipe: not after a table for people.
            const bool is_output =
                given == "/dev/stdout" || given == "/dev/fd/1" || given == "/proc/self/fd/1";
            return is_output ? std::string("-") : given;
        });
}

CommandLine::CommandLine(const std::string& description)
    : Command(*new CLI::App(description)), program_(app_) {}
CommandLine::~CommandLine() = default;

void CommandLine::name(const std::string& program) {
    app_->name(program);
}

void CommandLine::version(const std::string& text) {
    app_->set_version_flag("--version", text);
}

void CommandLine::require_command() {
    app_->require_subcommand(1);
}

bool CommandLine::chose(const std::string& command) const {
    return app_->got_subcommand(command);
}

Reading CommandLine::read(int argc, const char* const* argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success))
            return {Reading::Outcome::wrong, error.what()};
        std::ostringstream answer;
        app_->exit(error, answer);
        return {Reading::Outcome::question, answer.str()};
    }
    return {};
}

}  // namespace groundswell::simulation
