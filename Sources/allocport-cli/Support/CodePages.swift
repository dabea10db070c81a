import CAllocator

/// The pages of machine code that this process has touched.
enum CodePages {
    /// Fewer bytes are read before the code that it takes has come back.
    static let largeInput = 1 << 18

    /// As many bytes are read at once.
    static let firstRows = 1 << 16

    /// Gives the system back, beside pages of code, memory that was freed: what is left to do takes other code.
    static func giveBackAll() {
        giveBack()
        allocator_trim()
    }

    /// Gives the system back the pages of code that only the start has used (the parser of arguments, detection,
    /// definitions).
    static func giveBack() { allocator_give_back_code() }
}
