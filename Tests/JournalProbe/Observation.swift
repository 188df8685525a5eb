// What journals come to, however their lines arrive.

import Replication
import ShareSimulation
import StateJSON

/// The app of the model in Tests/SharedFolderModel/app.py, in its newest version.
private let newestApp = SampleApp(1)

/// Reads journals, and says what they come to: in the order of the files, and then line by line in random order, asking now
/// and then what it comes to so far.
func observation(_ journals: JSONObject, seed: UInt64) throws -> JSONValue {
  let read = try journals.members.map { member in
    guard case .string(let text) = member.value else { throw UnknownRequest() }
    return Journal(Array(text.utf8), name: member.key)
  }
  if let damage = read.lazy.flatMap({ ($0.damage.map { [$0] } ?? []) + $0.carriedDamage }).first { throw damage }
  let lines = read.flatMap { $0.lines + $0.carried }
  var random = Generator(state: seed)

  var fold = Fold()
  lines.forEach { fold.add($0) }
  let atOnce = comes(&fold)
  for _ in 0..<3 {
    fold = Fold()
    for line in (lines + lines.prefix(5)).shuffled(using: &random) {
      fold.add(line)
      if random.next() % 4 == 0 { _ = fold.document() }
      if random.next() % 4 == 0 { _ = fold.reduced(by: newestApp) }
    }
    let oneByOne = comes(&fold)
    guard oneByOne == atOnce else { throw Different(atOnce: atOnce, oneByOne: oneByOne) }
  }
  for (journal, text) in zip(read, journals.values) {
    var bytes: [UInt8] = []
    for line in journal.lines { line.write(to: &bytes) }
    guard text == .string(String(decoding: bytes, as: UTF8.self)) else { throw Rewritten(lines: journal.lines.count) }
  }
  return atOnce
}

private func comes(_ fold: inout Fold) -> JSONValue {
  var result = JSONObject()
  result["counted"] = .array(fold.lines.counted.map { "\($0)" }.sorted().map { .string($0) })
  result["order"] = .array(fold.order.map { .string("\($0)") })
  result["document"] = fold.document()
  result["reduced"] = fold.reduced(by: newestApp)
  return .object(result)
}

/// One order of arrival comes to something else than another.
struct Different: Error {
  let atOnce: JSONValue
  let oneByOne: JSONValue
}

/// A journal is written differently from how it was read.
struct Rewritten: Error {
  let lines: Int
}

/// George Marsaglia's xorshift.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x9E37_79B9_7F4A_7C15
  }
}
