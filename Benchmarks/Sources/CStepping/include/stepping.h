#ifndef STEPPING_H
#define STEPPING_H

#include <stdint.h>

/// Counts the instructions that a program's first thread takes on this processor, in user mode, while it reads a part of
/// its input and works on what it has read: from each `pread` at an offset of `first` or more, and less than `end`, to the
/// next one outside. A program that reads its input twice is counted both times. `command` ends with NULL; output is
/// thrown away.
///
/// Each step is a stop of the program, 1 to 30 microseconds.
///
/// - Returns: the instructions; -1 where programs cannot be stepped, or this one failed.
int64_t stepping_count(char *const _Nullable *_Nonnull command, int64_t first, int64_t end);

#endif
