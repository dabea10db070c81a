import Delimited
import OpenAlloc

// The short road for rows that are more than their line (`RecipeProfile.isOfState`): by what is known of the row when it
// is decided.
extension DefinitionRun {
    /// Decides a row, whose variables are in `state`, by the recipe of its class; false when the rules must be run.
    func decideByRecipe(_ unit: SourceUnit, _ binding: TableBinding, _ plan: TablePlan) -> Bool {
        guard purpose == .records, ground.isContextOfRow, profile?.isOfState == true, isOfRecipes(binding) else {
            return false
        }
        if contextVersion != state.contextVersion {
            prepareRecipes(binding)
            guard recipes != nil else { return false }
        }
        if let lookup = plan.lookup { survey.fill(lookup, state, evaluator) }
        guard makeKey() else { return false }
        guard let first = recipes?.find() else {
            meet(unit)
            return false
        }
        let isKept = recipes?.isFrequented ?? false
        guard let recipe = recipe(from: first) else { return false }
        if case .unwritten = recipe.verdict {
            let row = (0..<state.count).map { state.saved($0) }
            write(recipe, binding)
            for value in row { state.restore(value) }
        }
        let isTaken = follow(recipe, unit, plan)
        if !isKept { recipe.forget() }
        return isTaken
    }

    /// Whether the recipes are those of a row's table, which may have ended before the row is decided.
    private func isOfRecipes(_ binding: TableBinding) -> Bool {
        guard let own = ground.binding else { return false }
        if own === binding { return true }
        return own.table == binding.table && own.columns == binding.columns && own.header == binding.header
    }

    /// The first row of a class: a recipe is worth it for the second.
    private func meet(_ unit: SourceUnit) {
        recipes?.miss(at: unit.line)
        if recipes?.isWorthwhile ?? false { recipes?.insert(Recipe()) } else { dropRecipes() }
    }

    private func follow(_ recipe: Recipe, _ unit: SourceUnit, _ plan: TablePlan) -> Bool {
        switch complete(recipe, unit) {
        case .left: return false
        case .marked: return true
        case .records: break
        }
        let lines = units.isEmpty ? [unit] : units
        guard let group = plan.group else {
            flushGroups()
            sink.accept(recipe.records[...], from: lines, warnings: [])
            return true
        }
        for index in recipe.groupCells.indices {
            let (slot, cell) = recipe.groupCells[index]
            state.set(slot, state.text(cell))
        }
        for word in recipe.groupWords { state.set(word.slot, copying: word.bytes) }
        queue(recipe.records[...], lines, group)
        return true
    }
}
