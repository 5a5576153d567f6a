#include "groundswell/c/messages.h"

#include <string>
#include <string_view>

#include "groundswell/base/log.hpp"
#include "groundswell/c/guard.hpp"

using groundswell::base::MessageLevel;
using groundswell::c::guarded;

static_assert(GS_MESSAGE_ERROR == static_cast<int>(MessageLevel::error));
static_assert(GS_MESSAGE_WARNING == static_cast<int>(MessageLevel::warning));
static_assert(GS_MESSAGE_INFO == static_cast<int>(MessageLevel::info));

int gs_messages_level(int level) {
    return guarded(__func__, [&] {
        if (level < GS_MESSAGE_ERROR || level > GS_MESSAGE_INFO) groundswell::c::reject("no such level");
        groundswell::base::set_message_level(static_cast<MessageLevel>(level));
    });
}

int gs_messages_to(gs_message_handler handler, void* context) {
    return guarded(__func__, [&] {
        if (handler == nullptr) return groundswell::base::set_message_handler({});
        groundswell::base::set_message_handler([handler, context](MessageLevel level, std::string_view text) {
            handler(static_cast<gs_message_level>(level), std::string(text).c_str(), context);
        });
    });
}
