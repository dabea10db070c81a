#include "allocator.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>

void allocator_trim(void) { malloc_trim(0); }
#else
void allocator_trim(void) {}
#endif
