import HotReload
import StateJSON
import StoreCore

extension RemoteSession {
  /// How long the last answers may take to be read once the program is through or something failed, in nanoseconds.
  private static var farewell: UInt64 { 1_000_000_000 }

  /// Takes in what happened in the program.
  mutating func takeNews() {
    let news = news.take()
    for event in news.problems {
      switch event {
      case .occurred(let problem): client.send(.problem(problem))
      case .resolved(let code): client.send(.resolved(code: "\(code)"))
      }
    }
    for notice in news.notices {
      if notices.areTold { client.send(.notice(notice)) } else { notice.writeToStandardError() }
    }
    if news.isChanged { client.watches.stateChanged() }
    if let outcome = news.commit { finishCommit(outcome) }
    if news.isRevoked { (isRevoked, isEnding) = (true, true) }
  }

  /// Tells what the client wants to hear of and is ready for.
  mutating func tell() {
    tellActions()
    if client.awaitsState { tellState() }
    handOver()
  }

  private mutating func tellActions() {
    let isWritten = !news.withActions(\.isOnItsWay) || client.output.isWritten(upTo: actionsUpTo)
    guard isWritten else { return }
    let lines = news.withActions { actions in
      actions.noteWritten()
      return actions.isEmpty ? [] : actions.take()
    }
    guard !lines.isEmpty else { return }
    client.send(lines: lines)
    actionsUpTo = client.end
  }

  /// A state that can't be encoded is a problem that lasts until one can.
  private mutating func tellState() {
    do throws(JSONEncodingError) {
      client.tellWatchers(of: try newestState())
      if obstacle != nil { client.send(.resolved(code: Self.obstacleCode)) }
      obstacle = nil
    } catch {
      guard error != obstacle else { return }
      obstacle = error
      let message = "the watched states are not told, as the state cannot be encoded: \(error)"
      client.send(.problem(code: Self.obstacleCode, message: message, line: nil, column: nil))
    }
  }

  private static var obstacleCode: String { "untold" }

  // MARK: The end

  /// Waits until everything was read, the last states of watched places too, unless nobody is going to.
  mutating func sayGoodbye() throws(SystemError) {
    // What comes now is the program's alone, and might never end.
    want(notices: false)
    store.withState { _, _ in news.want(states: false, actions: false) }
    var deadline: UInt64?
    while !noticeOutputFailure() {
      takeNews()
      tell()
      let isTold = news.withActions(\.isEmpty) && (!client.watches.areDue || obstacle != nil)
      if isTold, client.output.isWritten(upTo: client.end) { return }
      let now = MonotonicClock.now()
      // Who still writes to us may never come to reading.
      if isRevoked || failure != nil { deadline = deadline ?? now + Self.farewell }
      if now >= deadline ?? .max { return }
      try Poller.wait(for: [news.waker.rawDescriptor], until: deadline)
      news.waker.reset()
    }
  }
}
