#pragma once

#include <string>
#include <vector>

/// Names that files shall get: what may stand there already. Not collective: ask on one rank, inside
/// parallel::agree.
namespace groundswell::output {

/// The file that `path` means: where links lead, whether that is there or not. Refusal where they lead
/// nowhere.
std::string without_links(const std::string& path);

/// Reason why no new file can take the name `path`, in the system's words: a folder, a device or a pipe has it, or a
/// file that this user may not remove. Empty where one can.
std::string obstacle(const std::string& path);

/// Whether both names mean one file, that need not be there.
bool is_same_file(const std::string& a, const std::string& b);

/// Refusal when the folder is missing, or new files cannot be made in it.
void check_folder(const std::string& folder, const std::string& path);

/// Refusal when no new file can be written at `path`: its folder does not take one, something stands there
/// that is no plain file, or a file (unless `overwrite`), or it is one of `taken`, which the command reads or
/// writes itself; or the name in which the new file grows (.part) is not free. A link stands for the file
/// that it leads to.
void check_target(const std::string& path, bool overwrite, const std::vector<std::string>& taken = {});

}  // namespace groundswell::output
