// Answers questions about Replication, one JSON text a line, for `scripts/check journals`.
//
//     {"difference": [A, B]}                        the change that makes B of A, or null
//     {"apply": CHANGE, "to": V, "removed": […]}    {"value": …}, or {} if nothing is there; the changes in "removed" are
//                                                   those whose ghosts are remembered, and without "to" nothing was there
//     {"journals": {FILE: TEXT}, "seed": N}         {"counted": [ID], "order": [ID], "document": …, "reduced": …}
//
// The answer to anything else is {"error": "…"}.
//
// And for `Benchmarks/run`, with a document as the input:
//
//     journal-probe make FOLDER DEVICES ENTRIES     the journals of a share
//     journal-probe fold                            what it costs to fold: lines of nanoseconds

import Glibc
import Replication
import StateJSON

func answer(_ request: JSONValue) throws -> JSONValue {
  guard case .object(let members) = request else { throw UnknownRequest() }
  if case .array(let values)? = members["difference"], values.count == 2 {
    return SparseChange(from: values[0], to: values[1])?.value ?? .null
  }
  if let change = members["apply"] {
    var ghosts = Ghosts()
    if case .array(let changes)? = members["removed"] {
      for change in changes { ghosts.remember(try SparseChange(change)) }
    }
    let result = try SparseChange(change).applying(to: members["to"], ghosts: ghosts)
    return result.map { ["value": $0] } ?? [:]
  }
  if case .object(let journals)? = members["journals"], case .number(let seed)? = members["seed"] {
    return try observation(journals, seed: seed.exactly(UInt64.self) ?? 1)
  }
  throw UnknownRequest()
}

struct UnknownRequest: Error {}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("make"?, 4):
  try makeShare(
    in: arguments[2], of: Int(arguments[3]) ?? 4, entries: Int(arguments[4]) ?? 0, document: readLine() ?? "")
  exit(0)
case ("fold"?, 1):
  for costs in try foldCosts(readLine() ?? "") { print(costs.map(String.init).joined(separator: " ")) }
  exit(0)
default: break
}

while let line = readLine() {
  let reply: JSONValue
  do {
    reply = try answer(try JSONValue(parsing: line))
  } catch {
    reply = ["error": .string("\(error)")]
  }
  print(reply)
}
