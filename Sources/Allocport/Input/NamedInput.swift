import Delimited
import Importing

/// An input by another name.
struct NamedInput: InputSource {
    let base: any InputSource
    let name: String

    init(_ base: any InputSource, _ name: String) { (self.base, self.name) = (base, name) }

    /// The input, by the name of the file whose rejects it has, where its own says that.
    static func ofRejects(_ input: any InputSource) -> any InputSource {
        let name = RejectFileNames.unmarked(input.name)
        return name == input.name ? input : NamedInput(input, name)
    }

    var byteCount: Int { base.byteCount }

    func open() throws(InputError) -> any ByteStream { try base.open() }

    func bytes(at offset: Int, count: Int) throws(InputError) -> [UInt8] { try base.bytes(at: offset, count: count) }

    func read(into block: ByteBlock) throws(InputError) -> Bool { try base.read(into: block) }
}
