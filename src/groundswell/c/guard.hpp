#pragma once

#include <string>
#include <string_view>
#include <utility>

/// Turns exceptions of the C functions into a status and a message.
namespace groundswell::c {

/// Notes the exception that is being handled for gs_error_message and returns its status: call inside
/// `catch (...)`.
int note_current_exception() noexcept;

/// Sets what gs_error_message returns from now on.
void note_message(std::string_view message);

/// The C function that is being called, in this thread.
inline thread_local const char* function = "";

/// Runs `body` of the C function `name`; no exception leaves it.
template <class Body>
int guarded(const char* name, Body&& body) noexcept {
    function = name;
    try {
        std::forward<Body>(body)();
        return 0;
    } catch (...) {
        return note_current_exception();
    }
}

/// Throws base::Defect naming the function and what it was given.
[[noreturn]] void reject(std::string_view what);

/// The pointer's target; a null pointer is a Defect of the caller.
template <class T>
T& need(T* pointer, std::string_view argument) {
    if (pointer == nullptr) reject(std::string("null given for ") + std::string(argument));
    return *pointer;
}

/// Deletes what a handle stands for and sets it to null.
template <class T>
int destroy(T** handle) noexcept {
    if (handle == nullptr) return 0;
    return guarded("", [&] { delete std::exchange(*handle, nullptr); });
}

}  // namespace groundswell::c
