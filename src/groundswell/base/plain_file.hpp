#pragma once

#include <string>

namespace groundswell::base {

/// Refuses an input that is there but no plain file: opening a pipe waits for a writer that may never come,
/// and what came through it could not be read a second time or by another rank. What is not there is left to
/// the reader, who knows what it should be.
void require_plain_file(const std::string& path);

}  // namespace groundswell::base
