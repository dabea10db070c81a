import Foundation
import PackagePlugin

/// Writes the definitions of the catalogue as literals, so that the binary needs no files beside it.
@main
struct EmbedDefinitions: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let root = target.directoryURL
        let enumerator = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var inputs: [URL] = []
        while let url = enumerator?.nextObject() as? URL {
            if url.pathExtension == "yaml" { inputs.append(url) }
        }
        inputs.sort { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "BuiltInDefinitions.swift")
        return [
            .buildCommand(
                displayName: "Embed \(inputs.count) importer definitions",
                executable: try context.tool(named: "embed-definitions").url,
                arguments: [output.path, root.path] + inputs.map(\.path), inputFiles: inputs, outputFiles: [output])
        ]
    }
}
