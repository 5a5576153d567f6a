#pragma once

#include <filesystem>
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

/// The folder, or while it does not exist yet the one that it will be made in.
std::filesystem::path existing_part(std::filesystem::path folder);

/// Refusal of what cannot even be looked for, and so not be made: a folder that nobody may enter, or a name
/// that is too long, also of a folder within one that does not exist yet.
void require_findable(const std::string& folder);

/// Refusal where `looked_at` is no folder, or denies one of R_OK, W_OK and X_OK in `access`: without, the
/// first thing to fail would be a file made hours later. As the effective user, which is the one that will
/// write. `folder` and `expected` ("read and written to") are for the message.
void require_access(const std::string& folder, const std::string& looked_at, int access,
                    const std::string& expected);

}  // namespace groundswell::output
