import StoreCore
import Synchronization

/// Claims of several stores in one process, in the order in which they are asked for.
final class ClaimOffice: Sendable {
  private struct Request {
    let number: Int
    let instance: String
    let granted: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var lines: [String: [Request]] = [:]
  }

  private let state = Mutex(State())
  /// Brings an instance up to date, before it is granted what another let go of.
  let catchUp = Shared<@Sendable (String) -> Void>({ _ in })

  /// Who has a claim, and then who stands in line for it.
  func line(for name: String) -> [String] { state.withLock { $0.lines[name]?.map(\.instance) ?? [] } }

  /// The claims of one instance.
  func claims(of instance: String) -> Claims { Claims(office: self, instance: instance) }

  struct Claims: EffectClaims {
    let office: ClaimOffice
    let instance: String

    func claim(_ name: String, isOrigin: Bool, granted: @escaping @Sendable () -> Void) -> EffectClaim {
      let (number, isFirst) = office.state.withLock { state in
        state.next += 1
        state.lines[name, default: []].append(Request(number: state.next, instance: instance, granted: granted))
        return (state.next, state.lines[name]?.count == 1)
      }
      if isFirst { granted() }
      return EffectClaim { office.end(name) { $0.number == number } }
    }
  }

  /// Kills an instance: what it has goes to the next in line.
  func kill(_ instance: String) {
    for name in state.withLock({ Array($0.lines.keys) }) { end(name) { $0.instance == instance } }
  }

  private func end(_ name: String, where isEnded: (Request) -> Bool) {
    let next = state.withLock { state -> Request? in
      guard let line = state.lines[name] else { return nil }
      let left = line.filter { !isEnded($0) }
      state.lines[name] = left.isEmpty ? nil : left
      return left.first?.number == line.first?.number ? nil : left.first
    }
    guard let next else { return }
    catchUp.value.withLock { $0 }(next.instance)
    next.granted()
  }
}
