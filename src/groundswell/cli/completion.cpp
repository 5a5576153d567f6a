#include <iostream>
#include <memory>
#include <string>

#include "groundswell/cli/command.hpp"

namespace groundswell::cli {

namespace {

// Asks the program itself for the options of a command, so that they are true for commands in C++ and in Python alike.
const char* const script = R"bash(
_groundswell() {
    local program="${COMP_WORDS[0]}" word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    local command="${COMP_WORDS[1]}" help kinds words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$_groundswell_commands --help --version" -- "$word"))
        return
    fi
    help=$("$program" "$command" --help 2>/dev/null)
    kinds=$(sed -nE 's/^ {2,4}([a-z]+)  +.*/\1/p' <<<"$help")
    if [ "$COMP_CWORD" -eq 2 ] && [ "${word#-}" = "$word" ]; then
        words=$kinds
    else
        if [ -n "$kinds" ]; then
            help=$("$program" "$command" "${COMP_WORDS[2]}" --help 2>/dev/null)
        fi
        case "$word" in
            -*) words=$(grep -oE -- '--[a-z][a-z-]*' <<<"$help" | sort -u) ;;
        esac
        case "$before" in
            --*) words+=" $(sed -nE "s/^ *$before [A-Z]*:?\{([^}]*)\}.*/\1/p" <<<"$help" | tr ',' ' ')" ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _groundswell groundswell
)bash";

// Read by a start-up file or, from the folder that zsh looks in, when Tab is first pressed: then it is the function itself.
const char* const before_zsh =
    "#compdef groundswell\n"
    "(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }\n"
    "autoload -U +X bashcompinit && bashcompinit\n";
const char* const after_zsh =
    "[[ ${funcstack[1]} != _groundswell ]] || _bash_complete -o default -F _groundswell\n";

}  // namespace

Action add_completion(simulation::Command command) {
    auto shell = std::make_shared<std::string>();
    command.footer(
        "Examples: source <(groundswell completion bash)   in ~/.bashrc\n"
        "          source <(groundswell completion zsh)    in ~/.zshrc\n"
        "The Tab key then completes commands, options and the words that an option takes.");
    command.option("SHELL", *shell, "the shell that will read it").required().one_of({"bash", "zsh"});
    return [shell] {
        const bool zsh = *shell == "zsh";
        std::cout << (zsh ? before_zsh : "") << "_groundswell_commands=\"";
        for (const CommandRow& row : commands()) std::cout << row.name << ' ';
        std::cout << '"' << script << (zsh ? after_zsh : "");
        return 0;
    };
}

}  // namespace groundswell::cli
