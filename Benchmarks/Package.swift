// swift-tools-version: 6.2
import PackageDescription

// Stands alone: it knows the program that is measured by its binary only.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    targets: [
        .executableTarget(
            name: "bench", dependencies: ["CStepping"], swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
        .target(name: "CStepping"),
    ],
    swiftLanguageModes: [.v6]
)
