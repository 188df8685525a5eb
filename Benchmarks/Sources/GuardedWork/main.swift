import Documents
import Glibc
import HotReload
import StateJSON
import StoreCore

// Does one thing a number of times, for Benchmarks/guard, which counts instructions and system calls of more and of fewer
// rounds: what the difference is, each round costs, whatever starting and ending cost.

let works = ["parse", "write", "decode", "encode", "diff", "merge", "dispatch", "commit"]
let arguments = CommandLine.arguments
guard arguments.count == 3, works.contains(arguments[1]), let rounds = Int(arguments[2]) else {
  print("guard \(works.joined(separator: "|")) ROUNDS")
  exit(2)
}

if arguments[1] == "commit" {
  OneThread().run { try await commit(rounds) }
} else if arguments[1] == "dispatch" {
  dispatch(rounds)
} else {
  try json(arguments[1], rounds)
}

func json(_ work: String, _ rounds: Int) throws {
  let text = Catalogue.text(bytes: 100_000)
  let value = try JSONValue(parsing: text)
  let typed = try JSONValueDecoder().decode(Catalogue.self, from: value)
  // Parsed anew, as what shares its storage isn't compared.
  var (left, right) = (try JSONValue(parsing: text), try JSONValue(parsing: text))
  try left.replace(at: JSONPointer(["items", "100", "name"]), with: "left")
  try right.replace(at: JSONPointer(["items", "200", "name"]), with: "right")
  for _ in 0..<rounds {
    switch work {
    case "parse": keep(try JSONValue(parsing: text))
    case "write": keep(value.bytes())
    case "decode": keep(try JSONValueDecoder().decode(Catalogue.self, from: JSONDocument(parsing: text)))
    case "encode": keep(try JSONValueEncoder().dump(typed).document.bytes)
    case "diff": keep(JSONPatch(from: value, to: left))
    case "merge": keep(JSONMerge(base: value, left: left, right: right, newer: .left))
    default: fatalError("unknown: \(work)")
    }
  }
}

/// A thousand at a time, with one subscriber.
func dispatch(_ rounds: Int) {
  let store = Store(Catalogue(), reducer: reduce)
  let subscription = store.subscribe { _ in }
  for _ in 0..<(rounds * 1_000) { store.dispatch(.add(1)) }
  subscription.cancel()
}

/// One by one into a file of 1 KB, which stands in the folder that TMPDIR names.
@Sendable func commit(_ rounds: Int) async throws {
  let path = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/replicate-guard-\(getpid()).json"
  unlink(path)
  let typed = try JSONValueDecoder().decode(Catalogue.self, from: JSONValue(parsing: Catalogue.text(bytes: 1_000)))
  let store = try Store(typed, reducer: reduce, middleware: [HotReload<Catalogue, CatalogueAction>(file: path)])
  for _ in 0..<rounds {
    // So that each is by itself: whether one counts as part of a burst would depend on how slowly it is run.
    usleep(5_000)
    store.dispatch(.add(1))
    try await store.commit()
  }
  try await store.close()
  unlink(path)
}

@inline(never)
func keep<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}
