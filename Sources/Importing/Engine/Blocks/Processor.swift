import CProcessor

/// The processor that a thread is on. In a virtual machine one that has nothing to do looks taken to the system, which then
/// leaves a new thread beside the one that made it for some hundredths of a second.
public struct Processor: Sendable {
    private let number: Int32

    /// That of the calling thread.
    public static var current: Processor { Processor(number: processor_current()) }

    /// Moves the calling thread to another, if it is on this one and there is another that it may be on. Later it may be
    /// on all that it might be on before.
    public func leave() { processor_leave(number) }
}
