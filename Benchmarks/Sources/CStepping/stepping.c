#define _GNU_SOURCE
#include "stepping.h"

#if defined(__linux__) && defined(__x86_64__)
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/// Instructions that were looked at: most are met again and again.
enum { known_places = 1 << 16 };

struct known {
    unsigned long address;
    _Bool is_call;
};

static void begin(char *const *command) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (int file = 0; file < 3; file++) dup2(nowhere, file);
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) execvp(command[0], command);
    _exit(127);
}

/// Lets the program go on to its next stop; false when there is none.
static _Bool go_on(pid_t program, int request, int *status) {
    // A signal that is not of stepping's is the program's.
    const int sent = WIFSTOPPED(*status) ? WSTOPSIG(*status) & 0x7f : SIGTRAP;
    if (ptrace(request, program, 0, sent == SIGTRAP ? 0 : sent) != 0) return 0;
    while (waitpid(program, status, 0) < 0)
        if (errno != EINTR) return 0;
    return WIFSTOPPED(*status);
}

/// Whether the program is about to ask the system for something.
static _Bool is_at_call(pid_t program, struct known *known) {
    const long address = ptrace(PTRACE_PEEKUSER, program, offsetof(struct user_regs_struct, rip), 0);
    struct known *place = &known[(unsigned long)address % known_places];
    if (place->address != (unsigned long)address) {
        const long bytes = ptrace(PTRACE_PEEKTEXT, program, address, 0);
        *place = (struct known){(unsigned long)address, (bytes & 0xffff) == 0x050f};
    }
    return place->is_call;
}

/// What the program, stopped before or in a call of the system, reads there: the offset, or -1 for another call.
static int64_t offset_read(pid_t program, _Bool is_before) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, program, 0, &registers) != 0) return -1;
    const unsigned long call = is_before ? registers.rax : registers.orig_rax;
    return call == SYS_pread64 ? (int64_t)registers.r10 : -1;
}

/// Follows the program from its first stop to its end.
static int64_t follow(pid_t program, int64_t first, int64_t end) {
    static struct known known[known_places];
    int status = 0;
    if (waitpid(program, &status, 0) < 0 || !WIFSTOPPED(status)) return -1;
    ptrace(PTRACE_SETOPTIONS, program, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    int64_t count = 0;
    _Bool is_counting = 0, is_in_call = 0;
    while (go_on(program, is_counting ? PTRACE_SINGLESTEP : PTRACE_SYSCALL, &status)) {
        int64_t offset = -1;
        if (is_counting) {
            count++;
            if (is_at_call(program, known)) offset = offset_read(program, 1);
        } else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            is_in_call = !is_in_call;
            if (is_in_call) offset = offset_read(program, 0);
        }
        if (offset < 0) continue;
        const _Bool is_inside = offset >= first && offset < end;
        if (is_inside && !is_counting) is_in_call = 0;
        is_counting = is_inside;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? count : -1;
}

int64_t stepping_count(char *const *command, int64_t first, int64_t end) {
    // On one processor, so that the program has one thread, and no stop waits for another processor.
    cpu_set_t all, one;
    const int processor = sched_getcpu();
    const _Bool is_bound = processor >= 0 && sched_getaffinity(0, sizeof all, &all) == 0;
    if (is_bound) {
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    const pid_t program = fork();
    if (program == 0) begin(command);
    const int64_t count = program > 0 ? follow(program, first, end) : -1;
    if (is_bound) sched_setaffinity(0, sizeof all, &all);
    return count;
}

#else

int64_t stepping_count(char *const *command, int64_t first, int64_t end) { return -1; }

#endif
