#pragma once

#include <filesystem>
#include <string>

/// Whether files can be made in a folder, asked before the first is. Not collective: ask on one rank, inside
/// parallel::agree.
namespace groundswell::output {

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
