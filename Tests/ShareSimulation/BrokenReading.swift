import Replication
import StateJSON

extension ShareVariant {
  /// What a machine makes of the lines that it knows if it breaks a rule of what they come to; `nil` if it breaks none of these.
  func reading(of device: Device, _ records: Records) -> JSONValue?? {
    var reading = BrokenReading(device.fold)
    switch self {
    case .clocksAlone: reading.forgetCauses()
    case .readNotAwaited: reading.count(records) { $0 }
    case .gapsIgnored: reading.count(records) { !$0 }
    case .oneNeighbour: reading.rewrite { (JSONChange.withOneNeighbour($0), nil) }
    case .ghostsForgotten: reading.rewrite { ($0, JSONChange.forgetting($0)) }
    default: return nil
    }
    return .some(reading.fold.document())
  }
}

/// Lines read otherwise than they should be: other lines are made of them, which the fold takes as it takes any.
private struct BrokenReading {
  private let right: Fold
  var fold = Fold()
  /// The lines that were made of those that there are.
  private var made: [LineID: LineID] = [:]

  /// What is said instead of a change, and what after that.
  typealias Rewriting = (JSONValue) -> (change: JSONValue, next: JSONValue?)

  init(_ fold: Fold) { right = fold }

  private var lines: KnownLines { right.lines }

  private func line(_ id: LineID) -> (JournalLine, KnownLines.Number)? {
    lines.number(of: id).map { (lines.line($0), $0) }
  }

  /// Each entry stands right behind a head, so that nothing is its cause, and the value that counts has read those that it had.
  mutating func forgetCauses() {
    for (line, number) in right.order.compactMap({ self.line($0) }) {
      add(line, behind: head(of: lines.writer(of: number)))
    }
    guard let (best, reader) = right.bestSettled.flatMap({ line($0) }) else { return }
    let read = right.order.filter { lines.number(of: $0).map { lines.isRead($0, by: reader) } ?? false }
    add(best, behind: head(of: lines.writer(of: reader)), reading: read.compactMap { made[$0] })
  }

  /// Entries that wait for others count as well: those whose line before is known, or those whose line before is missing.
  mutating func count(_ records: Records, _ isConcerned: (_ isPreviousKnown: Bool) -> Bool) {
    fold = right
    for line in records.own.joined() + records.kept where line.entry != nil && !lines.counts(line.id) {
      guard isConcerned(line.previous.map { lines.number(of: $0) != nil } ?? true) else { continue }
      add(line, behind: Writer(device: "early", incarnation: "0").flatMap { head(of: $0) })
    }
  }

  /// Each line says another change, and maybe a second entry goes behind it.
  mutating func rewrite(_ rewrite: @escaping Rewriting) {
    var rest = lines.counted.compactMap { line($0)?.0 }
    while !rest.isEmpty {
      let count = rest.count
      rest = rest.filter { line in
        guard (line.read + (line.previous.map { [$0] } ?? [])).allSatisfy({ made[$0] != nil }) else { return true }
        add(line, behind: line.previous.flatMap { made[$0] }, reading: line.read.compactMap { made[$0] }, rewrite)
        return false
      }
      if rest.count == count { return }
    }
  }

  private mutating func head(of writer: Writer) -> LineID? {
    let head = JournalHead(share: "share", writer: writer).flatMap { try? JournalLine($0.body, after: nil) }
    if let head { fold.add(head) }
    return head?.id
  }

  private mutating func add(
    _ line: JournalLine, behind previous: LineID?, reading: [LineID] = [],
    _ rewrite: Rewriting? = nil
  ) {
    guard case .object(var body)? = try? JSONValue(parsing: line.body) else { return }
    body["read"] = reading.isEmpty ? nil : .array(reading.map { .string("\($0)") })
    // What is carried, or asked for, has another ID here.
    if line.kind == "carried" || line.kind == "wants" { body["kind"] = "ack" }
    var next: JSONValue?
    if let change = body["change"], let rewrite { (body["change"], next) = rewrite(change) }
    guard let copy = try? JournalLine(.object(body), after: previous) else { return }
    fold.add(copy)
    made[line.id] = copy.id
    guard let next, let time = body["time"],
      let last = try? JournalLine(["kind": "entry", "time": time, "change": next], after: copy.id)
    else { return }
    fold.add(last)
    made[line.id] = last.id
  }
}

/// The JSON form of a change, and what is broken in it.
private enum JSONChange {
  /// The same, but what came into a list is there with the element before it only.
  static func withOneNeighbour(_ change: JSONValue) -> JSONValue {
    guard case .object(var form) = change else { return change }
    if case .object(let members)? = form["in"] {
      form["in"] = .object(JSONObject(unique: members.keys, values: members.values.map(withOneNeighbour)))
      return .object(form)
    }
    guard form["by"] != nil else { return change }
    let (was, now) = (form["was"]?.elements ?? [], form["is"]?.elements ?? [])
    let changed = (form["of"]?.elements ?? []).compactMap(\.elements.first)
    let isNamed = now.indices.map { place in
      changed.contains(now[place]) || place + 1 < now.count && !was.contains(now[place + 1])
    }
    let rest = now.indices.filter { !isNamed[$0] }.map { now[$0] }
    form["was"] = .array(was.filter { !rest.contains($0) })
    form["is"] = .array(now.filter { !rest.contains($0) })
    return .object(form)
  }

  /// The removal of nothing from each place from which a change removes something, so that this is remembered; `nil` if it
  /// removes nothing.
  static func forgetting(_ change: JSONValue) -> JSONValue? {
    guard case .object(let form) = change else { return nil }
    if case .object(let members)? = form["in"] {
      var inner = JSONObject()
      for member in members.members { if let change = forgetting(member.value) { inner.append(member.key, change) } }
      return inner.keys.isEmpty ? nil : ["in": .object(inner)]
    }
    if let key = form["by"] {
      let inner = (form["of"]?.elements ?? []).compactMap { change -> (id: JSONValue, change: JSONValue)? in
        let parts = change.elements
        return forgetting(parts[1]).map { (parts[0], $0) }
      }
      if inner.isEmpty { return nil }
      let stayed = form["is"]?.elements ?? []
      let ids = inner.map(\.id)
      return [
        "by": key, "was": .array(ids), "is": .array(ids.filter(stayed.contains)),
        "of": .array(inner.map { [$0.id, $0.change] }),
      ]
    }
    return form["was"] != nil && form["is"] == nil ? ["was": .null] : nil
  }
}
