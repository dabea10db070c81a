#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdint.h>

/// How many blocks of memory this thread has asked for so far; below 0 where they cannot be counted.
int64_t allocation_count(void);

#endif
