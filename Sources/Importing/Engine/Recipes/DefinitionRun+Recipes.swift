import Delimited
import OpenAlloc

// The short road for rows of a class that was met before.
extension DefinitionRun {
    /// The date patterns of the current table.
    var datePatterns: [DatePattern] { ground.datePatterns }

    /// Prepares recipes for a table, if its rows stand for themselves.
    func prepareRecipes(_ binding: TableBinding) {
        // Lines around the rows may say different things by turns.
        if memory == nil, ground.contextMemory == nil, ground.binding != nil { ground.contextMemory = ImportMemory() }
        noteChange(to: binding)
        keepRecipes()
        recipes = nil
        profile = nil
        lane = nil
        guard purpose == .records, usesRecipes, !ground.isBarren else { return }
        contextVersion = state.contextVersion
        ground.binding = binding
        ground.datePatterns = plan(binding.table).dates ?? definition.dates
        let tables = memory ?? ground.contextMemory
        if let known = ground.recent(binding, contextVersion) { return take(known) }
        let key = tables == nil ? nil : memoryKey(binding)
        if let key, let known = tables?.table(key) {
            ground.keep(known, binding, contextVersion)
            return take(known)
        }
        let profile = RecipeProfile(
            binder, binding, freesAccount: memory != nil && sink.takesFreeAccounts, isShared: memory != nil,
            hasContext: { !state.contextText($0).isEmpty })
        self.profile = profile
        if usesLane, let profile, !profile.isOfState { lane = ClassLane(self, profile, binding) }
        if let profile {
            recipes = RecipeTable(profile)
        }
        if let key {
            let table = ImportMemory.Table(key, profile, lane)
            tables?.keep(table)
            ground.keep(table, binding, contextVersion)
            ground.memoryTable = table
        }
    }

    private func take(_ known: ImportMemory.Table) {
        known.recipes.map { recipes = $0 }
        known.recipes = nil
        use(known)
    }

    private func use(_ known: ImportMemory.Table) {
        ground.memoryTable = known
        recipes?.beginInput()
        profile = known.profile
        lane = known.lane
        // What it has read last was no row of now.
        lane?.isWanted = false
        guard let profile = known.profile, recipes == nil else { return }
        // A reading that ended early has not given them back.
        recipes = RecipeTable(profile)
    }

    /// Gives back what the next input may use.
    func keepRecipes() {
        ground.memoryTable?.recipes = recipes.take()
        ground.memoryTable = nil
    }

    /// Classes of this table are not worth looking for.
    func dropRecipes() {
        if let table = ground.memoryTable { (memory ?? ground.contextMemory)?.forget(table) }
        ground.memoryTable = nil
        recipes = nil
        lane = nil
    }

    /// Where each row changes what holds from line to line, no class is ever met again.
    private func noteChange(to binding: TableBinding) {
        guard ground.binding === binding else {
            (ground.barrenChanges, ground.isBarren) = (0, false)
            return
        }
        let isUsed = recipes?.isUsed ?? true || lane.map { $0.taken > 0 } ?? false
        ground.barrenChanges = isUsed ? 0 : ground.barrenChanges + 1
        if ground.barrenChanges > DefinitionRun.mostBarrenChanges { ground.isBarren = true }
    }

    private static let mostBarrenChanges = 32

    /// The number of a header in this input; nil where there are too many.
    private func number(of binding: TableBinding) -> Int? {
        if let known = ground.bindings.firstIndex(where: { $0 === binding }) { return known }
        guard ground.bindings.count < 64 else { return nil }
        ground.bindings.append(binding)
        return ground.bindings.count - 1
    }

    private func memoryKey(_ binding: TableBinding) -> ImportMemory.Key {
        var context: [UInt8] = []
        let unread = binder.unreadSlot
        for slot in 0..<state.count where slot != unread && !state.contextText(slot).isEmpty {
            let text = state.contextText(slot)
            for number in [slot, text.count] {
                withUnsafeBytes(of: number) { context.append(contentsOf: $0) }
            }
            text.withUnsafeBytes { context.append(contentsOf: $0) }
        }
        if memory == nil, let number = number(of: binding) {
            return ImportMemory.Key(
                definition: "", options: nil, table: binding.table, header: [], columns: [], styles: [],
                binding: number, context: context)
        }
        return ImportMemory.Key(
            definition: definition.id, options: builder.options, table: binding.table, header: binding.header,
            columns: binding.columns, styles: evaluator.styles, context: context)
    }

    /// Takes a row by the recipe of its class; false when the rules must be run.
    func takeByRecipe(_ record: borrowing RecordView, _ unit: SourceUnit, _ binding: TableBinding) -> Bool {
        guard recipes != nil, record.flags.isDisjoint(with: .anyDamage) else { return false }
        guard fits(record, binding) else { return false }
        if contextVersion != state.contextVersion {
            prepareRecipes(binding)
            guard recipes != nil else { return false }
        }
        cutMoments()
        lookUp(binding)
        guard makeKey() else { return false }
        let account = profile?.account.map { state.text($0) } ?? .empty
        guard let first = recipes?.find() else { return takeFirst(record, account: account, unit, binding) }
        guard let recipe = recipe(from: first) else { return false }
        let isKept = recipes?.isFrequented ?? false
        if !isKept, !isWorthWriting(recipe) { return false }
        let isTaken = take(record, by: recipe, account: account, unit, binding)
        if !isKept { recipe.forget() }
        if !(recipes?.note(isTaken: isTaken) ?? true), lane?.taken ?? 0 == 0 { dropRecipes() }
        return isTaken
    }

    /// Whether a recipe that will be forgotten again is worth writing: it costs more than the rules, so only where a lane
    /// may learn the class, of which there have been several rows.
    private func isWorthWriting(_ recipe: Recipe) -> Bool {
        guard case .unwritten = recipe.verdict else { return true }
        recipe.waiting += 1
        return recipe.waiting > 2 + (lane?.table.count ?? 0) / 128
    }

    private func take(
        _ record: borrowing RecordView, by recipe: Recipe, account: ByteView, _ unit: SourceUnit,
        _ binding: TableBinding
    ) -> Bool {
        let isNew = if case .unwritten = recipe.verdict { true } else { false }
        if isNew { write(recipe, binding) }
        if lane?.take(recipe, account: account, unit, self) ?? false { return true }
        if isNew { rebind(record, binding) }
        return follow(recipe, unit)
    }

    /// The recipe of a class that is the row's: the row answers what its rules asked of the recipe's first row.
    func recipe(from first: Recipe) -> Recipe? {
        var recipe = first
        for _ in 0..<DefinitionRun.recipesPerClass {
            if case .unwritten = recipe.verdict { return recipe }
            if !recipe.guards.contains(where: { !evaluator.answers($0) }) { return recipe }
            guard let next = recipe.next else {
                let new = Recipe()
                recipe.next = new
                return new
            }
            recipe = next
        }
        return nil
    }

    private static let recipesPerClass = 8

    /// Takes the first row of a class.
    private func takeFirst(
        _ record: borrowing RecordView, account: ByteView, _ unit: SourceUnit, _ binding: TableBinding
    ) -> Bool {
        recipes?.miss(at: unit.line)
        guard recipes?.isWorthwhile ?? false else {
            dropRecipes()
            return false
        }
        let recipe = Recipe()
        // A recipe costs as much as the rules: it is written when a second row asks for it, unless one surely will.
        guard let lane, lane.isWanted, lane.forms.areFruitful, recipes?.isFrequented ?? false else {
            recipes?.insert(recipe)
            return false
        }
        write(recipe, binding)
        let isTaken = lane.take(recipe, account: account, unit, self)
        // Where the lane has learned the class, nobody asks for the recipe again but rows of other accounts.
        if !isTaken || profile?.namesAccount ?? false { recipes?.insert(recipe) }
        if isTaken { return true }
        rebind(record, binding)
        return follow(recipe, unit)
    }

    /// Writes the recipe of the row's class; variables have other values afterwards.
    func write(_ recipe: Recipe, _ binding: TableBinding) {
        guard let profile else { return }
        var writer = RecipeWriter(self, profile, binding)
        writer.write(into: recipe)
    }

    /// Reads the row anew.
    private func rebind(_ record: borrowing RecordView, _ binding: TableBinding) {
        state.beginRow()
        bindCells(record, binding)
        cutMoments()
        lookUp(binding)
    }

    /// Takes values from another table, as the rules would next.
    private func lookUp(_ binding: TableBinding) {
        if let lookup = plan(binding.table).lookup { survey.fill(lookup, state, evaluator) }
    }

    /// Takes dates out of longer texts, as the rules for the table would next.
    private func cutMoments() {
        guard let profile else { return }
        for slot in profile.cellRules.cutMoments {
            if let date = profile.cellRules.date(in: state.text(slot), of: slot) { state.set(slot, date) }
        }
    }

    /// Whether nothing is wrong with how many cells there are (`anomaly`).
    private func fits(_ record: borrowing RecordView, _ binding: TableBinding) -> Bool {
        guard let profile, record.count >= profile.cellsNeeded else { return false }
        for i in binding.width..<max(binding.width, record.count) where !record.cell(i).isBlank {
            if !binding.columns.contains(i) { return false }
        }
        return true
    }

    /// The class of the row; false when a number cannot be read, or a rule would read more of a cell than its class says.
    func makeKey() -> Bool {
        guard let profile, let table = recipes else { return false }
        table.beginKey()
        for index in 0..<table.words.count { table.append(state.text(table.words[index])) }
        if let account = profile.account { table.append(evaluator.isBlank(account) ? 0 : 1) }
        for index in 0..<table.tested.count {
            switch evaluator.number(table.tested[index]) {
            case .blank, .value: break
            default: return false
            }
        }
        for index in 0..<table.numbers.count {
            let number = table.numbers[index]
            switch evaluator.number(number.slot) {
            case .blank: table.append(0)
            case .value(_, isPercent: true): return false
            case .value(let value, _):
                if number.isRead, state.text(number.slot).contains(where: { isLetter($0) || $0 >= 0x80 }) {
                    return false
                }
                // Whether that is the row's currency the rules find out.
                if let unit = state.unit(number.slot, evaluator.reader), unit != profile.home { return false }
                table.append(UInt8(truncatingIfNeeded: 2 + value.signum))
            default:
                guard number.mayBeText else { return false }
                table.append(UInt8.max)
                table.append(state.text(number.slot))
            }
        }
        for index in 0..<table.moments.count {
            let moment = table.moments[index]
            if moment.isCut, profile.cellRules.cuts(state.text(moment.slot), of: moment.slot) { return false }
            table.append(evaluator.isBlank(moment.slot) ? 0 : 1)
        }
        for index in 0..<table.copied.count { table.append(evaluator.isBlank(table.copied[index]) ? 0 : 1) }
        return true
    }

    private func follow(_ recipe: Recipe, _ unit: SourceUnit) -> Bool {
        switch complete(recipe, unit) {
        case .left: return false
        case .marked: return true
        case .records: break
        }
        flushGroups()
        oneUnit[0] = unit
        sink.accept(recipe.records[...], from: oneUnit, warnings: [])
        return true
    }

    /// What a recipe makes of a row: nothing, so that the rules must be run; a mark, which it has got; its records.
    enum RecipeResult { case left, marked, records }

    /// Marks the row, or completes the recipe's records by it.
    func complete(_ recipe: Recipe, _ unit: SourceUnit) -> RecipeResult {
        switch recipe.verdict {
        case .rules, .unwritten: return .left
        case .mark(let outcome, let why):
            mark(unit, outcome, why)
            return .marked
        case .records: break
        }
        do throws(Finding) {
            for index in recipe.parts.indices {
                try builder.complete(&recipe.records[index], recipe.parts[index], self)
            }
        } catch {
            // What is wrong is for the rules to say: they know the variable by its own name.
            return .left
        }
        return .records
    }
}
