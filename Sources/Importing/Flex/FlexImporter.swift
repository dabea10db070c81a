public import OpenAlloc
public struct FlexImporter: Importer {
    public init() {}
    public var id: String { "ibkr.flex_xml" }
    public var title: String { "Interactive Brokers Flex query (XML)" }
    public var aliases: [String] { ["flex"] }
    public var schemas: [SchemaID] { [.transaction, .holding, .security, .account] }
    public func examine(_ sample: InputSample) -> Examination? { nil }
    public func context(of input: any InputSource, sample: InputSample, options: ImportOptions) throws(InputError) -> InputContext { InputContext() }
    public func read(_ input: any InputSource, sample: InputSample, context: InputContext, options: ImportOptions, into sink: any RecordSink) throws(InputError) {}
}
