import Importing

/// The warnings about the unit in hand. Of a code that was reported often enough nothing is built any more, only counted:
/// a file that warns on every line costs no text a line.
struct Warnings {
    /// Of the unit in hand, in order.
    private(set) var findings: [Finding] = []
    /// Of the unit in hand, of codes that are not shown any more.
    private var surplus: [FindingCode] = []
    private var totals: [Total] = []

    private struct Total {
        let code: FindingCode
        /// Reported with their text.
        var shown = 0
        /// Only counted.
        var hidden = 0
    }

    /// Adds a warning; its text is made only if it will be shown.
    mutating func add(_ code: FindingCode, _ finding: @autoclosure () -> Finding) {
        if let total = totals.first(where: { $0.code == code }), total.shown >= InputReport.maximumIssues {
            surplus.append(code)
        } else {
            findings.append(finding())
        }
    }

    /// Whether warnings of a code are only counted by now.
    func isOnlyCounted(_ code: FindingCode) -> Bool {
        totals.contains { $0.code == code && $0.shown >= InputReport.maximumIssues }
    }

    /// Counts warnings of a unit that stands.
    mutating func count(_ code: FindingCode, _ number: Int) { totals[place(of: code)].hidden += number }

    /// Forgets the unit in hand: it was rejected, or the next one begins.
    mutating func dropUnit() {
        findings.removeAll(keepingCapacity: true)
        surplus.removeAll(keepingCapacity: true)
    }

    /// The unit in hand stands, and its warnings with it.
    mutating func keepUnit() {
        for finding in findings { totals[place(of: finding.code)].shown += 1 }
        for code in surplus { totals[place(of: code)].hidden += 1 }
    }

    private mutating func place(of code: FindingCode) -> Int {
        if let place = totals.firstIndex(where: { $0.code == code }) { return place }
        totals.append(Total(code: code))
        return totals.count - 1
    }

    /// How many were only counted, by code.
    var hidden: [(code: FindingCode, count: Int)] {
        totals.filter { $0.hidden > 0 }.map { ($0.code, $0.hidden) }
    }
}
