// Counting references without locking the bus, as long as the process has one thread: two fifths of what counting costs.
//
// `.ci/scripts/static.sh` leads the runtime's calls here; every other build does not, and this is left out of it. The C
// library says whether there is one thread (what its own C++ companion goes by for shared pointers), before a second
// one starts.

#if defined(__linux__) && defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <stdint.h>
#include <sys/single_threaded.h>

// Not there where nothing leads here.
#define ABSENT __attribute__((weak))

void *ABSENT __real_swift_retain(void *object);
void *ABSENT __real_swift_retain_n(void *object, uint32_t count);
void ABSENT __real_swift_release(void *object);
void ABSENT __real_swift_release_n(void *object, uint32_t count);
void *ABSENT swift_nonatomic_retain(void *object);
void *ABSENT swift_nonatomic_retain_n(void *object, uint32_t count);
void ABSENT swift_nonatomic_release(void *object);
void ABSENT swift_nonatomic_release_n(void *object, uint32_t count);

void *__wrap_swift_retain(void *object) {
    return __libc_single_threaded ? swift_nonatomic_retain(object) : __real_swift_retain(object);
}

void *__wrap_swift_retain_n(void *object, uint32_t count) {
    return __libc_single_threaded ? swift_nonatomic_retain_n(object, count) : __real_swift_retain_n(object, count);
}

void __wrap_swift_release(void *object) {
    if (__libc_single_threaded) {
        swift_nonatomic_release(object);
    } else {
        __real_swift_release(object);
    }
}

void __wrap_swift_release_n(void *object, uint32_t count) {
    if (__libc_single_threaded) {
        swift_nonatomic_release_n(object, count);
    } else {
        __real_swift_release_n(object, count);
    }
}
#endif
#endif
