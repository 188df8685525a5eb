// What clients and users type.

import HotReload
import StateJSON

@testable import RemoteControl
@testable import replicate

/// A stream of requests; its first byte says in what pieces it arrives.
func fuzzRPC(_ input: [UInt8]) {
  guard let first = input.first else { return }
  let stream = Array(input.dropFirst())
  let lines = read(stream, piece: Int(first) + 1)
  require(lines == read(stream, piece: .max), "pieces don't matter")
  for line in lines {
    switch RPCMessage<DocumentMethod>(line) {
    case .single(let request): check(request)
    case .batch(let requests): requests.forEach(check)
    }
    switch RPCMessage<RemoteMethod<FuzzedAction>>(line) {
    case .single(let request): checkRefusal(of: request)
    case .batch(let requests): requests.forEach(checkRefusal)
    }
  }
}

private func read(_ stream: [UInt8], piece: Int) -> [LineReader.Line] {
  // Low, so that lines that are too long occur.
  var reader = LineReader(limit: 2_000)
  var lines: [LineReader.Line] = []
  var start = 0
  while start < stream.count {
    let end = piece < stream.count - start ? start + piece : stream.count
    reader.append(stream[start..<end])
    while let line = reader.next() { lines.append(line) }
    start = end
  }
  if let line = reader.finish() { lines.append(line) }
  return lines
}

/// An action with a bit of everything.
private indirect enum FuzzedAction: Codable, Sendable {
  case add(Int8, by: Double?)
  case rename(to: String)
  case both(FuzzedAction, [FuzzedAction])
  case table([String: UInt64])
}

private func checkRefusal<Method>(of request: RPCRequest<Method>) {
  guard case .failure(let error) = request.method else { return }
  let response = RPCResponse(identifier: request.identifier ?? .null, result: .failure(error))
  let line = response.value.bytes(format: .compact)
  require(!line.contains(UInt8(ascii: "\n")), "an answer is one line")
  require((try? JSONValue(parsing: line)) == response.value, "an answer is JSON")
}

private func check(_ request: RPCRequest<DocumentMethod>) {
  checkRefusal(of: request)
  switch request.method {
  case .success(.write(let operation)):
    var document: JSONValue = ["a": ["b": 1, "list": [1, 2, ["id": "x"]]], "n": 1]
    let before = document
    do {
      try operation.apply(to: &document)
      require((try? JSONValue(parsing: document.bytes())) == document, "what is written can be read")
    } catch {
      require(document == before, "an operation that fails changes nothing")
      let text = Failure(error).text.escapedForTerminal
      require(text.isSafeOnTerminal, "a message can't control a terminal")
    }
  case .success, .failure: break
  }
}

/// Words, separated by zero bytes as in the kernel.
func fuzzArguments(_ input: [UInt8]) {
  let words = input.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  do {
    _ = try CommandLineParser.parse(words)
  } catch {
    require(error.code == .usage, "what is wrong with words is a usage error")
    require(!error.message.isEmpty, "a failure says why")
    require(error.text.escapedForTerminal.isSafeOnTerminal, "a message can't control a terminal")
  }
  for word in words {
    require(word.escapedForTerminalLine.isSafeOnTerminal, "an escaped line can't control a terminal")
    require(!word.escapedForTerminalLine.contains("\n"), "an escaped line is one line")
    require(word.clipped(toColumns: 10).columns <= 10, "a clipped text fits")
  }
}

extension String {
  /// Whether a terminal shows it, and does nothing else.
  fileprivate var isSafeOnTerminal: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A, 0x09: true
      case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: false
      default: true
      }
    }
  }
}
