#if defined(__linux__)
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "allocator.h"

#if defined(__linux__)
/// Only segments that can be executed and not written: nothing of them can have changed.
static int give_back(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_flags & PF_W) continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr, first = start & ~(page - 1);
        madvise((void *)first, start + segment->p_memsz - first, MADV_DONTNEED);
    }
    return 0;
}

void allocator_give_back_code(void) { dl_iterate_phdr(give_back, NULL); }
#else
void allocator_give_back_code(void) {}
#endif
