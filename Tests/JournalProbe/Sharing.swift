// What several devices say to each other, for what it costs.

import Glibc
import Replication
import StateJSON

/// The app that Benchmarks/Sources/Instance is, as far as it counts.
struct CountingApp: ActionReducer {
  let version = AppVersion(version: 0, name: "catalogue")

  static let action: JSONValue = ["add": ["_0": 1]]

  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
    guard case .object(var object)? = document, case .number(var count)? = object["count"] else {
      throw UnknownRequest()
    }
    for action in actions {
      guard case .object(let action) = action, case .object(let members)? = action["add"],
        case .number(let step)? = members["_0"]
      else { throw UnknownRequest() }
      count = try count.adding(step)
    }
    object["count"] = .number(count)
    return .object(object)
  }
}

/// Devices that share a document, each by itself for a while, and then hear of the others.
struct Company {
  private(set) var devices: [Device]
  private let app = CountingApp()
  private let start: Int
  private var clock: Int

  /// The first of them begins with the document, at a time in milliseconds since 1970.
  init(of count: Int, sharing document: JSONValue, from start: Int) throws {
    (self.start, clock) = (start, start)
    devices = (1...count).map { Self.device("device\($0)") }
    _ = try devices[0].seed(document, .contents)
    for index in devices.indices {
      devices[index].take(devices[0].journal)
      _ = try devices[index].introduce(as: "machine-\(index + 1)")
    }
  }

  private static func device(_ name: String) -> Device {
    guard let writer = Writer(device: name, incarnation: "a") else { preconditionFailure("a name of letters") }
    return Device(share: "benchmark", writer: writer)
  }

  /// Each commits as many times, and hears of the others now and then.
  mutating func work(_ rounds: Int, meetingEvery step: Int = 20) throws {
    for round in 0..<rounds {
      for index in devices.indices {
        clock += 50
        try commit(&devices[index], at: clock)
      }
      if round % step == step - 1 { try meet() }
    }
    try meet()
  }

  private mutating func meet() throws {
    for index in devices.indices {
      for other in devices.indices where other != index { devices[index].take(devices[other].journal) }
      _ = try devices[index].respond(app: app, at: 0) { _ in true }
    }
  }

  private func commit(_ device: inout Device, at time: Int) throws {
    let before = device.document
    let label = "\(ContentHash(before?.bytes() ?? []))-\(time)-1"
    let after = try app.reducing(before, by: [CountingApp.action])
    _ = try device.export([
      LocalCommit(
        label: label, time: time, before: before, after: after, actions: [CountingApp.action], app: app.version)
    ])
  }

  /// The journal of one more device, which has heard of nothing but the beginning: before the others did anything, or after that.
  func stranger(_ name: String, committing count: Int, isEarly: Bool) throws -> [JournalLine] {
    var device = Self.device(name)
    device.take(devices[0].journal.prefix(2))
    for number in 0..<count { try commit(&device, at: (isEarly ? start : clock + 50) + number) }
    return device.journal
  }
}

extension [JournalLine] {
  /// The text of a file that has them.
  var text: [UInt8] {
    var text: [UInt8] = []
    for line in self { line.write(to: &text) }
    return text
  }
}

/// Makes the journals of a share, as they lie in a folder, and beside it those of two devices that are yet to be heard of: what
/// `late` says comes after all others, and what `early` says before.
func makeShare(in folder: String, of count: Int, entries: Int, document: String) throws {
  let now = Int(time(nil)) * 1_000
  var company = try Company(
    of: count, sharing: try JSONValue(parsing: document), from: now - count * entries * 50 - 60_000)
  try company.work(entries)
  for device in company.devices { try write(device.journal, to: folder) }
  try write(company.stranger("late", committing: 1_000, isEarly: false), to: folder + ".later")
  try write(company.stranger("early", committing: 1, isEarly: true), to: folder + ".later")
}

private func write(_ journal: [JournalLine], to folder: String) throws {
  guard case .head(let head) = journal[0].contents, mkdir(folder, 0o700) == 0 || errno == EEXIST,
    let file = fopen("\(folder)/\(head.writer).journal", "w")
  else { throw UnknownRequest() }
  let text = journal.text
  let written = fwrite(text, 1, text.count, file)
  guard fclose(file) == 0, written == text.count else { throw UnknownRequest() }
}

/// Nanoseconds of taking a thousand entries after ten thousand others, and of taking one that comes before them: of reading
/// and ordering them, of what the lines alone come to, and of what they come to for an app.
func foldCosts(_ document: String) throws -> [[Int]] {
  var company = try Company(of: 4, sharing: try JSONValue(parsing: document), from: 1_000_000)
  try company.work(2_500)
  let known = company.devices.map(\.journal.text)
  return try [("late", 1_000, false), ("early", 1, true)].map { name, count, isEarly in
    let text = try company.stranger(name, committing: count, isEarly: isEarly).text
    var fold = Fold()
    for text in known { for line in Journal(text, name: "known").lines { fold.add(line) } }
    _ = (fold.document(), fold.reduced(by: CountingApp()))
    let start = nanoseconds()
    for line in Journal(text, name: name).lines { fold.add(line) }
    let isTaken = nanoseconds()
    _ = fold.document()
    let isFolded = nanoseconds()
    let count = fold.reduced(by: CountingApp())
    let isReduced = nanoseconds()
    guard case .object(let object)? = count, object["count"] != nil else { throw UnknownRequest() }
    return [isTaken - start, isFolded - isTaken, isReduced - isFolded]
  }
}

private func nanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
