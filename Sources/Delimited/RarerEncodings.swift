extension TextEncoding {
    /// The code pages in which text is read when no importer knows it in the encoding that the detector tells, in the
    /// order in which they are tried.
    static let rarer: [TextEncoding] = [.shiftJIS, .gbk, .eucKR, .big5, .windows1255]
}

extension EncodingDetector {
    /// The rarer code pages that bytes can be in which are no Unicode: nearly all of them are characters there. Bytes
    /// alone do not tell which it is; who knows names that stand in the text can.
    ///
    /// A few may be damaged, for only the rows that hold them are rejected.
    ///
    /// - Parameters:
    ///   - prefix: the first bytes.
    ///   - isWhole: whether they are all; if not, a character may be cut off at the end.
    public static func rarer(_ prefix: [UInt8], isWhole: Bool = false) -> [TextEncoding] {
        let high = prefix.count { $0 >= 0x80 }
        guard high > 0 else { return [] }
        return TextEncoding.rarer.filter { encoding in
            var decoder = TextDecoder(encoding: encoding)
            var text: [UInt8] = []
            var invalid: [Int] = []
            prefix.withUnsafeBytes { decoder.decode($0, isLast: isWhole, into: &text, invalid: &invalid) }
            return invalid.count * 4 <= high
        }
    }
}
