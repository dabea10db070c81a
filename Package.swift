// swift-tools-version: 6.3
import PackageDescription

/// Settings that every target of ours builds with.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "allocport",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "allocport", targets: ["allocport-cli"]),
        .library(name: "Allocport", targets: ["Allocport"]),
        .library(name: "Importing", targets: ["Importing"]),
        .library(name: "OpenAlloc", targets: ["OpenAlloc"]),
        .library(name: "ImporterConformance", targets: ["ImporterConformance"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .target(name: "NearWords", swiftSettings: strict),
        .target(name: "CurrencyCodes", swiftSettings: strict),
        .target(name: "OpenAlloc", swiftSettings: strict),
        .target(name: "CAllocator"),
        .target(name: "CByteMask"),
        .target(name: "CCodePages"),
        .target(name: "CDigest"),
        .target(name: "CProcessor"),
        .target(
            name: "Digests", dependencies: ["CDigest", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: strict),
        .target(name: "Delimited", dependencies: ["CByteMask", "CCodePages", "Digests"], swiftSettings: strict),
        .target(
            name: "Markup", dependencies: ["CByteMask", "CCodePages", "CLibXML2", "Digests"], swiftSettings: strict),
        .target(name: "StrictYAML", dependencies: ["NearWords"], swiftSettings: strict),
        .target(name: "DefinitionParts", dependencies: ["StrictYAML"], swiftSettings: strict),
        .target(name: "Zones", dependencies: ["NearWords"], swiftSettings: strict),
        .target(
            name: "Importing",
            dependencies: [
                "CProcessor", "CurrencyCodes", "DefinitionParts", "Delimited", "Digests", "Markup", "NearWords",
                "OpenAlloc", "StrictYAML", "Zones",
            ],
            exclude: ["Engine/README.md"], swiftSettings: strict),
        .target(
            name: "Allocport",
            dependencies: [
                "Importing", "CByteMask", "Delimited", "Digests", "OpenAlloc", "BuiltInDefinitions",
            ], swiftSettings: strict),
        .target(name: "ImporterConformance", dependencies: ["Allocport", "Importing"], swiftSettings: strict),
        .executableTarget(name: "embed-definitions", dependencies: ["CurrencyCodes", "DefinitionParts", "StrictYAML"]),
        .plugin(
            name: "EmbedDefinitions", capability: .buildTool(), dependencies: ["embed-definitions"],
            path: "Sources/EmbedDefinitionsPlugin"),
        .target(
            name: "BuiltInDefinitions", path: "Importers",
            exclude: [
                "README.md", "ADDING.md", "CONSTRUCTS.md", "FINPORTER.md", "REFERENCE.md", "definition.schema.json",
            ],
            swiftSettings: strict,
            plugins: ["EmbedDefinitions"]),
        .executableTarget(
            name: "allocport-cli",
            dependencies: [
                "Allocport", "BuiltInDefinitions", "CAllocator", "Delimited", "Importing", "NearWords", "OpenAlloc",
                "Zones",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: strict),
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "OpenAllocTests", dependencies: ["OpenAlloc", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "DigestsTests",
            dependencies: ["Digests", "TestSupport", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: strict),
        .testTarget(
            name: "DelimitedTests", dependencies: ["CByteMask", "Delimited", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ImportingTests",
            dependencies: ["Importing", "Delimited", "OpenAlloc", "Zones", "StrictYAML", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "MarkupTests", dependencies: ["CByteMask", "Markup", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "OFXTests", dependencies: ["Delimited", "Importing", "Markup", "OpenAlloc", "Zones", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "StrictYAMLTests", dependencies: ["StrictYAML", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "ZonesTests", dependencies: ["Zones"], swiftSettings: strict),
        .testTarget(
            name: "AllocportTests",
            dependencies: [
                "Allocport", "CAllocationCount", "CByteMask", "Importing", "Delimited", "OpenAlloc", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WorkbenchTests",
            dependencies: [
                "allocport-cli", "Allocport", "BuiltInDefinitions", "DefinitionParts", "Delimited",
                "ImporterConformance", "Importing", "OpenAlloc", "StrictYAML", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "allocport-cli", "Allocport", "Importing", "NearWords", "OpenAlloc", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
