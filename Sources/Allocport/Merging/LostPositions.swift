import Importing
import OpenAlloc

/// Rejected positions of lists of several days: had they been accepted, an earlier day might not stand.
struct LostPositions {
    /// The positions of an account; where that was assumed, of one input.
    struct List: Hashable {
        private let account: String
        private let input: Int?
        private let isCash: Bool

        init(account: String, input: Int?, isCash: Bool) {
            self.account = KeyText.folded(account)
            self.input = input
            self.isCash = isCash
        }

        fileprivate func joined(_ corrected: [Int]) -> Self { Self(account, input.map { corrected[$0] }, isCash) }

        private init(_ account: String, _ input: Int?, _ isCash: Bool) {
            (self.account, self.input, self.isCash) = (account, input, isCash)
        }
    }

    /// What an input has lost of a list.
    private struct Loss {
        let account: String
        /// The newest day.
        var day: Instant?
        var countOfDay = 0
        var undated = 0
        var line: Int
        var undatedLine: Int
    }

    private struct Place: Hashable {
        let input: Int
        let list: List
    }

    /// An account of which older positions stand.
    struct Stale {
        let input: Int
        let line: Int
        let account: String
        let count: Int
        /// nil when it cannot be read.
        let day: Instant?
        let standing: Instant
    }

    private var losses: [Place: Loss] = [:]

    var isEmpty: Bool { losses.isEmpty }

    /// Takes a rejected row, of which as much is known as could be read.
    mutating func note(_ record: borrowing Record, input: Int, line: Int) {
        let security = TransactionTable.security(of: record)
        if security.isEmpty { return }
        let account = record.string(.account)
        let list = List(
            account: account, input: record.isAccountAssumed ? input : nil,
            isCash: KeyText.folded(String(decoding: security, as: UTF8.self)) == "core")
        let place = Place(input: input, list: list)
        var loss = losses[place] ?? Loss(account: account, line: line, undatedLine: line)
        if let day = record[.pricedAt] {
            if loss.day.map({ $0 < day }) ?? true { (loss.day, loss.countOfDay, loss.line) = (day, 0, line) }
            if loss.day == day { loss.countOfDay += 1 }
        } else {
            if loss.undated == 0 { loss.undatedLine = line }
            loss.undated += 1
        }
        losses[place] = loss
    }

    /// The accounts of which positions of an earlier day stand than have been lost, or of another than could be read.
    ///
    /// - Parameters:
    ///   - standing: the newest day of each list that stands.
    ///   - corrected: of each input the one whose rejects it corrects, else itself.
    func stale(standing: [List: Instant], corrected: [Int]) -> [Stale] {
        func hasCorrection(_ input: Int) -> Bool {
            corrected.indices.contains { $0 != input && corrected[$0] == corrected[input] }
        }
        let found = losses.compactMap { place, loss -> Stale? in
            guard let last = standing[place.list.joined(corrected)] else { return nil }
            if let day = loss.day, last < day {
                return Stale(
                    input: place.input, line: loss.line, account: loss.account, count: loss.countOfDay, day: day,
                    standing: last)
            }
            guard loss.undated > 0, !hasCorrection(place.input) else { return nil }
            return Stale(
                input: place.input, line: loss.undatedLine, account: loss.account, count: loss.undated, day: nil,
                standing: last)
        }
        return found.sorted { ($0.input, $0.line, $0.account) < ($1.input, $1.line, $1.account) }
    }
}
