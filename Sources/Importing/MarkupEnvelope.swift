/// What stands around units of markup, so that those that are rejected make a document that can be converted by itself.
public struct MarkupEnvelope: Sendable {
    /// A container that is open around the units.
    public struct Level: Sendable {
        /// Tells containers of one depth apart: what is rejected in equal ones, one after the other, stands in one.
        public var id: Int
        /// What opens it, with what all that is in it needs (a sign-on, an account).
        public var opening: [UInt8]
        /// What closes it.
        public var closing: [UInt8]

        /// A container.
        public init(id: Int, opening: [UInt8], closing: [UInt8]) {
            self.id = id
            self.opening = opening
            self.closing = closing
        }
    }

    /// The containers, the outermost first.
    public var levels: [Level]
    /// What the units need behind all others, in the outermost container; made when it is written, at most once a file.
    public var trailer: (@Sendable () -> [UInt8])?

    /// An envelope.
    public init(_ levels: [Level], trailer: (@Sendable () -> [UInt8])? = nil) {
        self.levels = levels
        self.trailer = trailer
    }
}

/// Opens and closes containers, so that units under any envelopes, one after the other, make one document.
public struct MarkupNesting {
    private var open: [MarkupEnvelope.Level] = []
    private var trailer: (@Sendable () -> [UInt8])?

    /// Nothing is open.
    public init() {}

    /// What must be written before a unit under this envelope.
    ///
    /// - Parameter isCutOff: nothing will close what is open then, so that what stands behind all comes before it.
    public mutating func enter(_ envelope: MarkupEnvelope, isCutOff: Bool = false) -> [UInt8] {
        trailer = envelope.trailer ?? trailer
        var common = 0
        while common < min(open.count, envelope.levels.count), open[common].id == envelope.levels[common].id {
            common += 1
        }
        var bytes: [UInt8] = []
        if isCutOff, let trailer, let outermost = envelope.levels.first {
            if common == 0 {
                bytes += leave() + outermost.opening
                open = [outermost]
            } else {
                close(to: 1, &bytes)
            }
            bytes += trailer()
            self.trailer = nil
            common = 1
        }
        close(to: common, &bytes)
        for level in envelope.levels[common...] {
            bytes += level.opening
            open.append(level)
        }
        return bytes
    }

    /// What must be written behind the last unit.
    public mutating func leave() -> [UInt8] {
        var bytes: [UInt8] = []
        close(to: 0, &bytes)
        return bytes
    }

    private mutating func close(to count: Int, _ bytes: inout [UInt8]) {
        while open.count > count {
            if open.count == 1, let trailer {
                bytes += trailer()
                self.trailer = nil
            }
            bytes += open.removeLast().closing
        }
    }
}
