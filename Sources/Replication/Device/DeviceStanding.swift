import StateJSON

/// A device that takes part, as another one knows it from the journals.
package struct DeviceStanding: Sendable {
  /// The device; see ``Writer/isName(_:)``.
  package let device: String
  /// Its name for people, by the last line in which it said one; `nil` if it hasn't yet.
  package internal(set) var name: String?
  /// When it made its last entry, by its own clock: milliseconds since 1970; `nil` if it hasn't.
  package internal(set) var lastTime: Int?
  /// How many changes of this device it hasn't read, as far as is known here.
  package internal(set) var unreadCount = 0
  /// How many lines of it are here and don't count, since some are missed that it had read.
  package internal(set) var waitingCount = 0
  /// Whether it has left.
  package internal(set) var hasLeft = false

  /// What people are told that it is called.
  package var title: String { name ?? device }
}

extension Device {
  /// What the other devices are called that take part still.
  package var company: [String] { standings.dropFirst().filter { !$0.hasLeft }.map(\.title) }

  /// The devices that have said something, this one first and then in the order of ``DeviceStanding/device``.
  ///
  /// - Complexity: O(*n*) in the number of known lines.
  package var standings: [DeviceStanding] {
    var standings = [writer.device: DeviceStanding(device: writer.device)]
    for (device, lines) in fold.lines.chainsByDevice {
      var standing = DeviceStanding(device: device)
      for number in lines {
        standing.hasLeft = false
        switch fold.lines.line(number).contents {
        case .name(let name): standing.name = name
        case .entry(let entry) where entry.seed == nil: standing.lastTime = entry.time
        case .left: standing.hasLeft = true
        default: break
        }
      }
      if device != writer.device, let last = lines.last {
        standing.unreadCount = fold.lines.entryCount(of: writer.device, unreadBy: last)
      }
      standings[device] = standing
    }
    for (device, count) in waitingCounts {
      standings[device, default: DeviceStanding(device: device)].waitingCount = count
    }
    return standings.values.sorted {
      ($0.device == writer.device ? 0 : 1, $0.device) < ($1.device == writer.device ? 0 : 1, $1.device)
    }
  }

  /// How many lines of each device are known and don't count, as far as one can tell whose they are.
  private var waitingCounts: [String: Int] {
    var counts: [String: Int] = [:]
    var devices: [KnownLines.Number: String] = [:]
    for number in fold.lines.numbers {
      let line = fold.lines.line(number)
      if fold.lines.counts(number) {
        devices[number] = fold.lines.writer(of: number).device
      } else if case .head(let head) = line.contents {
        devices[number] = head.writer.device
      } else {
        devices[number] = line.previous.flatMap { fold.lines.number(of: $0) }.flatMap { devices[$0] }
      }
      guard let device = devices[number], !fold.lines.counts(number) else { continue }
      counts[device, default: 0] += 1
    }
    return counts
  }

  /// The document that all comes to which its last line rests on: what those knew who did something after that was said.
  ///
  /// - Complexity: O(*n*) in the number of known lines.
  package func documentSaid() -> JSONValue? {
    guard let last = lastLine, fold.lines.counts(last) else { return nil }
    var said = Fold()
    for number in fold.lines.numbers where fold.lines.counts(number) {
      if number == last || fold.lines.isRead(number, by: last) { said.add(fold.lines.line(number)) }
    }
    return said.document()
  }

  /// The devices that did something which this one hasn't said it has read.
  package var unreadAuthors: Set<String> {
    Set(fold.lines.authors(unreadBy: lastLine)).subtracting([writer.device])
  }
}
