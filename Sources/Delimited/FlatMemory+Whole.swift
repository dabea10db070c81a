extension FlatMemory {
    /// Gives every element this value.
    @inlinable
    public mutating func fill(with value: Element) {
        base.update(repeating: value, count: count)
    }

    /// Takes the elements of another of the same length; traps when it has another.
    @inlinable
    public mutating func copyAll(from other: borrowing FlatMemory) {
        precondition(count == other.count, "memories of different lengths")
        base.update(from: other.base, count: count)
    }
}
