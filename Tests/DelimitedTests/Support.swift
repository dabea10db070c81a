import Delimited
import TestSupport

/// Bytes made of fragments that are hard on a reader.
func hostileBytes(_ random: inout SplitMix64, pieces: Int, alphabet: [[UInt8]]) -> [UInt8] {
    var result: [UInt8] = []
    for _ in 0..<pieces { result += alphabet.randomElement(using: &random) ?? [] }
    return result
}

let hostile: [[UInt8]] =
    [
        "\"", "\"", "\"\"", ",", ",", "\n", "\r\n", "\r", "\r\r\n", " ", "\t", "a", "bcd", "é", "€", "😀", "\0", "\u{1}",
        "\",\"", "\"x\"", ";", "|", "=\"1\"", "5\" P", "\"A\" X1", "1,234.56", "\u{FEFF}", "\"\n", "x\",\"",
        "the quick brown fox jumps over the lazy dog",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82], [0x80], [0xF0, 0x9F]]

/// The same without what is not clean, so that the fast path has something to do.
let tame: [[UInt8]] = [
    "a,b,c\n", "\"a,b\",c\r\n", "x", ",", "\n", "12/31/2024,\"YOU BOUGHT\",1,234\n", "\"\"\n", "é;€|\t,", "\r", "\r\n",
    "\"quoted, with a longer text than one block of the index has room for, so that it spans two\",1\n",
].map { Array($0.utf8) }

/// What bytes are that come in pieces: the text in UTF-8, where in it something was not valid, and how often the decoder
/// says that was.
func decoded(
    _ bytes: [UInt8], _ encoding: TextEncoding, inPiecesOf size: Int
) -> (output: [UInt8], invalid: [Int], invalidCount: Int) {
    var decoder = TextDecoder(encoding: encoding)
    var output: [UInt8] = []
    var invalid: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        Array(bytes[start..<end]).withUnsafeBytes {
            decoder.decode($0, isLast: end == bytes.count, into: &output, invalid: &invalid)
        }
    }
    return (output, invalid, decoder.invalidCount)
}
