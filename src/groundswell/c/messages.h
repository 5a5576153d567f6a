#ifndef GROUNDSWELL_C_MESSAGES_H
#define GROUNDSWELL_C_MESSAGES_H

/* What the library says, and where: it has warnings of its own (a disk that is too slow, a file that was given
 * up), and can tell what it chose. Each message is told by one rank. Any time, also before MPI_Init; each rank
 * chooses for itself. */

#include "groundswell/c/errors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gs_message_level {
    GS_MESSAGE_ERROR = 1,   /* why gs_check, or a thread of the library, ends the program */
    GS_MESSAGE_WARNING = 2, /* also what needs attention; where nothing is said, this level holds */
    GS_MESSAGE_INFO = 3     /* also what was chosen, and why */
} gs_message_level;

/* Messages of this level and graver ones are told: a gs_message_level; anything else is refused. */
int gs_messages_level(int level);

/* Is given a message without prefix or end of line, valid until it returns, and `context` as it was given to
 * gs_messages_to. May run in a thread of the library; one call at a time. */
typedef void (*gs_message_handler)(gs_message_level level, const char* text, void* context);

/* Where messages go from now on, in place of lines on standard error ("groundswell: warning: TEXT"); null gives
 * those back. `context` must last until then. */
int gs_messages_to(gs_message_handler handler, void* context);

#ifdef __cplusplus
}
#endif

#endif
