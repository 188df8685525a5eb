import RemoteControl
import StoreCore

/// A store that is being served, and its client.
struct Service<State: Encodable & Sendable, Action: Codable & Sendable>: Sendable {
  let store: Store<State, Action>
  let client: RemoteClient
  private let line: Line
  private let task: Task<Void, any Error>

  init(_ store: Store<State, Action>, limits: RemoteLimits = RemoteLimits()) throws {
    let line = try Line()
    self.store = store
    self.line = line
    client = RemoteClient(line.near)
    task = Task {
      // The client hears of the end, as from a process.
      defer { line.far.closeOutput() }
      let remote = store.middleware(ofType: RemoteControl<State, Action>.self)[0]
      try await remote.serve(input: line.far.input, output: line.far.output, limits: limits)
    }
  }

  func cancel() { task.cancel() }

  /// Waits for the end.
  func value() async throws { try await task.value }

  /// What is answered to a text, after which the input ends.
  func answers(to text: String) async throws -> [String] {
    try await client.send(text: text)
    client.closeOutput()
    let lines = try await client.receiveAll()
    try await value()
    return lines
  }
}

func request(_ method: String, _ parameters: String = "", id: Int = 1) -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(parameters)}}"#
}

func dispatch(_ action: String, id: Int = 1) -> String { request("dispatch", #""action":\#(action)"#, id: id) }

func result(_ value: String, id: Int = 1) -> String { #"{"jsonrpc":"2.0","result":\#(value),"id":\#(id)}"# }

func error(_ code: Int, _ message: String, _ data: String? = nil) -> String {
  let data = data.map { #","data":\#($0)"# } ?? ""
  return #"{"jsonrpc":"2.0","error":{"code":\#(code),"message":"\#(message)"\#(data)},"id":1}"#
}

func notification(_ method: String, _ parameters: String) -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#
}
