import Digests
import Markup

/// Both passes in one: rows are made by a guess of what the survey will find, while the survey is taken. In the end, or
/// as soon as it shows, the guess was right or it was not; then only the survey goes on, which serves for reading anew.
///
/// A row that goes the short way (`OFXRowLane`) teaches the survey nothing. It is of a class of which a row was surveyed
/// as an aggregate after the file's decimal point was proven: its tags are the same, its statement and the signs of its
/// numbers, which have no commas; it refers to no other row, and is no trade in options. `OFXTrialTests` hold this, and
/// all of it, to reading twice.
final class OFXTrial: AggregateHandler {
    private var guess: OFXFacts
    private let survey: OFXSurvey
    private let reading: OFXReading
    /// Whether the statement at hand is not one of the guess: it is taken as it is found, until its first row is made.
    @exclusivity(unchecked) private var isFound = false
    @exclusivity(unchecked) private var hasRows = false
    /// How many statements were met.
    @exclusivity(unchecked) private var statements = 0
    /// The guess was wrong.
    @exclusivity(unchecked) private(set) var hasFailed = false

    init(_ guess: OFXFacts, _ dates: OFXDates, _ reading: OFXReading) {
        self.guess = guess
        survey = OFXSurvey(dates: dates, takesRows: false)
        self.reading = reading
        reading.mayLearn = false
    }

    /// What the survey has found.
    var facts: OFXFacts { survey.facts }

    /// Whether what was read is what reading twice would have made of it; to be asked after the last byte.
    var isRight: Bool { !hasFailed && survey.facts.isSame(as: guess) }

    /// Puts a statement between those of the guess that begin and end the file. It is thought to end as the first does.
    private func find(_ path: [ElementName]) {
        let place = survey.facts.statements.count - 1
        guard place > 0 else { return }
        if place >= statements {
            (statements, isFound, hasRows) = (place + 1, place == guess.statements.count, false)
            if isFound { guess.statements.append(survey.facts.statements[place]) }
        }
        if hasRows { return }
        let found = survey.facts.statements[place]
        if !isFound, found.accountRange != nil, !found.beginsLike(guess.statements[place]) {
            guess.statements.insert(found, at: place)
            isFound = true
        }
        if isFound {
            guess.statements[place] = found.ending(like: guess.statements[0])
            reading.use(guess.statements)
        }
        hasRows = path.last.map { OFXName.lists.contains($0) } ?? false
    }

    /// Whether a statement that has ended was what was guessed of it.
    private func isRight(_ place: Int) -> Bool {
        survey.facts.statements[place].isSame(as: guess.statements[place])
    }

    private func look() {
        if reading.asksOptionUnits || !survey.facts.mayBecome(guess) { hasFailed = true }
    }

    func header(_ header: OFXHeader, at position: MarkupPosition) {
        survey.header(header, at: position)
        reading.header(header, at: position)
    }

    func enter(_ name: ElementName, attributes: borrowing MarkupAttributes, at position: MarkupPosition) {
        survey.enter(name, attributes: attributes, at: position)
        if !hasFailed { find([]) }
        if !hasFailed { look() }
        // The guess may have no such statement.
        if !hasFailed { reading.enter(name, attributes: attributes, at: position) }
    }

    func leave(_ name: ElementName, closing: MarkupClosing, endOffset: Int) {
        survey.leave(name, closing: closing, endOffset: endOffset)
        // Positions behind the rows tell whether the rows of a statement in between are what they should be.
        let place = survey.facts.statements.count - 1
        if !hasFailed, OFXName.statements.contains(name), place >= 0, !isRight(place) { hasFailed = true }
        if !hasFailed { reading.leave(name, closing: closing, endOffset: endOffset) }
    }

    var takesRows: Bool { reading.takesRows }
    var digests: DigestSteps { reading.digests }

    func row(_ row: MarkupRow) -> Bool { hasFailed ? survey.row(row) : reading.row(row) }

    func aggregate(_ aggregate: MarkupAggregate, path: [ElementName]) {
        survey.aggregate(aggregate, path: path)
        if !hasFailed { find(path) }
        if !hasFailed { look() }
        if hasFailed { return }
        if !reading.mayLearn { reading.mayLearn = survey.facts.numbers.provesPoint }
        reading.aggregate(aggregate, path: path)
    }

    func text(_ name: ElementName, _ text: Span<UInt8>) {}

    func issue(_ issue: MarkupIssue) { if !hasFailed { reading.issue(issue) } }
}
