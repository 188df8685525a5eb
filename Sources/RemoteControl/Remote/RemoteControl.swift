import HotReload
import StateJSON
import StoreCore
import Synchronization

/// A middleware by which a client reads a store, follows it, and dispatches actions into it, over standard input and output:
/// a remote debugger by whatever reaches the machine. Off until ``serve()`` is called.
///
///     let remote = RemoteControl<App, AppAction>()
///     let store = try Store(App(), reducer: app, middleware: [remote, HotReload(file: "app.json")])
///     if CommandLine.arguments.contains("--attach") {
///       try await remote.serve()
///     }
///     try await store.close()
///
/// `ssh host app --attach` is then a conversation in JSON-RPC 2.0, one message a line, as with `replicate attach`:
///
/// ```text
/// {"jsonrpc":"2.0","id":1,"method":"dispatch","params":{"action":{"add":{"_0":5}}}}
/// {"jsonrpc":"2.0","result":{"version":"1"},"id":1}
/// ```
///
/// The methods are `get`, `dispatch`, `flush`, `watch`, `unwatch`, `actions`, `notices` and `info`; `docs/remote-control.md` is the
/// contract. What a client sends is decoded as an action of the program, so nothing can be done to the state that the reducer
/// doesn't do. An action is answered when it was reduced and committed: where there is a `HotReload`, it is in the file.
///
/// Who may write to the program's standard input may dispatch: offer it to those only who may run the program.
///
/// It serves one store, which owns it.
public final class RemoteControl<State: Encodable & Sendable, Action: Codable & Sendable>: Middleware {
  private let program: (name: String, version: String)
  private let redactions: [Redaction<State, Action>]
  private let reference = WeakStore<State, Action>()
  /// Looked at by every change: whether there are any news to be told.
  private let isServing = Atomic<Bool>(false)
  private let news = Mutex<RemoteNews?>(nil)
  private let isClosed = Atomic<Bool>(false)

  /// Makes a remote control for one store.
  ///
  /// - Parameters:
  ///   - name: What clients are told that the program is called; nil is the name it was started by.
  ///   - version: What clients are told that the program's version is.
  ///   - redactions: What isn't told.
  public init(name: String? = nil, version: String = "", redacting redactions: [Redaction<State, Action>] = []) {
    let path = CommandLine.arguments.first ?? ""
    program = (name ?? path.split(separator: "/").last.map(String.init) ?? path, version)
    self.redactions = redactions
  }

  /// Serves a client over standard input and output until the input ends, nobody reads the output, the store is closed, or
  /// the task is cancelled. Then everything dispatched is committed and, unless nobody is going to read them, the answers are
  /// written.
  ///
  /// Meanwhile the standard streams belong to the conversation: print to standard error, and don't read. Actions are
  /// dispatched on a thread of its own. States and actions are encoded only for a client that has asked for them: an action
  /// by whoever dispatches it, inside the store's lock. Neither waits for the client to read. Signals are none of its
  /// business, also that of a pipe which nobody reads.
  ///
  /// The problems of mirrored files are told to the client, and so aren't written to standard error.
  ///
  /// To serve before the store is made, when it was freed, or while it is being served already is a mistake that traps.
  ///
  /// - Throws: What could not be read, written or committed; then, too, all is done that can be. Catch it: a client can bring
  ///   it about, and an error that leaves `main` ends a program like a crash.
  public func serve() async throws(RemoteControlError) {
    try await serve(input: StandardStream.input, output: StandardStream.output)
  }

  /// Serves a client over other streams, which stay open.
  package func serve(
    input: ByteStream, output: ByteStream, limits: RemoteLimits = RemoteLimits()
  ) async throws(RemoteControlError) {
    guard let store = reference.store else {
      preconditionFailure("a RemoteControl serves the store that it was given to: make that before, and keep it")
    }
    let mirrors = store.middleware(ofType: HotReload<State, Action>.self)
    let news: RemoteNews
    do {
      news = try RemoteNews(instance: mirrors.first?.instance, actionLimit: limits.unreadActions)
    } catch {
      throw RemoteControlError(.cannotStart, error)
    }
    self.news.withLock { current in
      precondition(current == nil, "a RemoteControl serves one client at a time")
      current = news
    }
    isServing.store(true, ordering: .releasing)
    if isClosed.load(ordering: .acquiring) { news.add { $0.isRevoked = true } }
    let problems = Task {
      if mirrors.isEmpty { return }
      for await event in store.problems { news.add { $0.problems.append(event) } }
    }
    let outcome = await withTaskCancellationHandler {
      await converse(with: store, news, input, output, limits)
    } onCancel: {
      news.add { $0.isRevoked = true }
    }
    problems.cancel()
    isServing.store(false, ordering: .releasing)
    self.news.withLock { $0 = nil }
    try outcome.get()
  }

  /// Holds the conversation on a thread of its own.
  private func converse(
    with store: Store<State, Action>, _ news: RemoteNews, _ input: ByteStream, _ output: ByteStream,
    _ limits: RemoteLimits
  ) async -> Result<Void, RemoteControlError> {
    await withCheckedContinuation { continuation in
      do throws(SystemError) {
        let output = try OutputQueue(stream: output, waker: news.waker)
        do throws(SystemError) {
          _ = try DriverThread(name: "remote") { [program, redactions] in
            var session = RemoteSession(
              store: store, program: program, redactions: redactions, limits: limits, news: news,
              client: Conversation(input: input, output: output))
            continuation.resume(returning: Result { () throws(RemoteControlError) in try session.run() })
          }
        } catch {
          output.end()
          throw error
        }
      } catch {
        continuation.resume(returning: .failure(RemoteControlError(.cannotStart, error)))
      }
    }
  }

  public func start(_ store: Store<State, Action>) {
    reference.set(store)
    isClosed.store(false, ordering: .releasing)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    guard isServing.load(ordering: .relaxed), let news = news.withLock({ $0 }) else { return }
    let action = change.action.map { action in
      { () -> Result<JSONValue, JSONEncodingError> in
        Result { () throws(JSONEncodingError) in try JSONValue(encoding: self.redactions.redacted(action)) }
      }
    }
    news.note(change.cause, version: change.version, action: action)
  }

  /// Ends the conversation, and doesn't wait for its end: that commits, which may have to wait for this.
  public func close() async {
    isClosed.store(true, ordering: .releasing)
    news.withLock { $0 }?.add { $0.isRevoked = true }
  }
}
