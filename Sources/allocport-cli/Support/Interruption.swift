import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// SIGINT, SIGTERM and SIGHUP ask the run to stop, which removes what it began; a second one ends the process at once.
enum Interruption {
    private static let asked = Atomic<Bool>(false)
    private static let isWorking = Atomic<Bool>(false)

    /// Whether somebody asked to stop. Who asks this once asks it until the work is done.
    static var isAsked: Bool {
        isWorking.store(true, ordering: .relaxed)
        return asked.load(ordering: .relaxed)
    }

    /// Takes the signals from now on.
    static func listen() {
        // A handler may not make the flags: they are made here.
        asked.store(false, ordering: .relaxed)
        isWorking.store(false, ordering: .relaxed)
        var action = sigaction()
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = { _ in Interruption.ask() }
        #else
            action.__sigaction_handler.sa_handler = { _ in Interruption.ask() }
        #endif
        // The handler is for one signal only: the next has its usual effect.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
        // A terminal that closes ends the run, too; under `nohup` it does not.
        if !isIgnored(SIGHUP) { sigaction(SIGHUP, &action, nil) }
        // A file that grows beyond what is allowed is a write that fails, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        // Whoever started us may have held the signals back for us too.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func ask() {
        // Before the work there is nothing to remove, and reading standard input might wait for ever.
        if !isWorking.load(ordering: .relaxed) {
            // A handler may do no more than this.
            let words: StaticString = "allocport: interrupted; nothing was written\n"
            _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
            _exit(130)
        }
        asked.store(true, ordering: .relaxed)
    }
}
