import StoreCore
import TerminalScreen

extension App {
  /// What is being loaded, and what couldn't be: a line for each.
  var notes: [Line] {
    let failures = loading.fetches.compactMap { $0.effect.status == .failed ? $0.effect.failure : nil }
    let error = lastError.flatMap {
      failures.contains($0) ? nil : Line(" ✗ \($0)", .bad) + Line(" · x forgets it", .faint)
    }
    return loading.fetches.map { note(on: $0) } + (error.map { [$0] } ?? [])
  }

  private func note(on fetch: Fetch) -> Line {
    let (effect, name) = (fetch.effect, name(of: fetch.id))
    let failure = effect.failure ?? ""
    if !effect.isRunning { return Line(" ✗ no \(name): \(failure)", .bad) + Line(" · r tries again", .faint) }
    let attempt = " · attempt \(effect.attempt) of \(effect.attempts)"
    return Line(" … loading \(name)", .accent)
      + (effect.attempt > 1 ? Line("\(attempt), as \(failure)", .warning) : .empty)
  }

  private func name(of resource: Resource) -> String {
    switch resource {
    case .episodes: "episodes"
    case .details(let id): "details of \(episodes[id: id]?.code ?? "\(id)")"
    case .comments(let id): "comments on \(episodes[id: id]?.code ?? "\(id)")"
    }
  }
}
