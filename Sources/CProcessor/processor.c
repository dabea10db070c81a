#define _GNU_SOURCE
#include "processor.h"

#if defined(__linux__)
#include <sched.h>

int processor_current(void) { return sched_getcpu(); }

void processor_leave(int processor) {
    cpu_set_t all, others;
    if (processor < 0 || processor >= CPU_SETSIZE || sched_getcpu() != processor) return;
    if (sched_getaffinity(0, sizeof all, &all) != 0) return;
    others = all;
    CPU_CLR(processor, &others);
    // Where there is no other, the system refuses.
    if (sched_setaffinity(0, sizeof others, &others) == 0) sched_setaffinity(0, sizeof all, &all);
}

#else

int processor_current(void) { return -1; }
void processor_leave(int processor) { (void)processor; }

#endif
