import Glibc
import HotReload
import StateJSON

/// A shared file without a store: what the file protocol alone costs, for `Benchmarks/run`.
///
///     file-probe watch FILE         says for each content that it reads its number and when
///     file-probe commit FILE WORD…  replaces the file as often as each line says, and answers with nanoseconds
///
/// With the word `power`, as durably as that; with `everywhere`, each page of the text becomes another each time, instead of a digit.
@main struct FileProbe {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2, let verb = arguments.first else { fatalError("file-probe watch|commit FILE WORD…") }
    let (path, words) = (arguments[arguments.startIndex + 1], arguments.dropFirst(2))
    switch verb {
    case "watch": try watch(path)
    case "commit":
      try commit(path, words.contains("power") ? .power : .process, isEverywhere: words.contains("everywhere"))
    default: fatalError("file-probe watch|commit FILE WORD…")
    }
  }

  private static func watch(_ path: String) throws {
    let file = try SharedFile(path: path, instance: "probe")
    let waker = try Waker()
    let watcher = FileWatcher(path: file.path, waker: waker)
    let wakeUp = WakeUp()
    var last = -1
    say("ready")
    while true {
      if case .contents(let contents) = try file.read(), contents.settled {
        let instant = MonotonicClock.now()
        let number = number(in: contents.bytes)
        if number != last { say("\(number) \(instant)") }
        last = number
      }
      file.isWayKnown = false
      if watcher.tidy(), !file.standsAsSeen || watcher.drain() == .now { continue }
      repeat {
        // As the driver does.
        let ready = try wakeUp.politely {
          Result { try Poller.readable(among: [watcher.rawDescriptor, waker.rawDescriptor, 0], until: nil) }
        }.get()
        // Nobody has anything to say any more.
        if ready[2] { return }
        if ready[1] { waker.reset() }
      } while watcher.drain() != .now
      file.isWayKnown = watcher.isSameWay
    }
  }

  private static func commit(_ path: String, _ durability: Durability, isEverywhere: Bool) throws {
    let file = try SharedFile(path: path, instance: "probe", durability: durability)
    var texts = try Texts(of: file, isEverywhere: isEverywhere)
    say("ready")
    while let line = readLine() {
      let count = Int(line) ?? 0
      let start = MonotonicClock.now()
      for number in 0..<count { try commit(file, &texts, isLast: number == count - 1) }
      say("\(MonotonicClock.now() - start)")
      // What came out is looked at before it becomes the next spare, as the driver does between its commits.
      _ = try file.retireDisplaced()
    }
    while try !file.tryLock() {}
    try file.close()
    file.unlock()
  }

  private static func commit(_ file: SharedFile, _ texts: inout Texts, isLast: Bool) throws {
    while try !file.tryLock() {}
    // As the driver does: others get their turn in between.
    defer {
      let isOver = isLast || MonotonicClock.now() - file.lockedSince >= SharedFile.longestHold
      if isOver { file.unlock() } else { file.rest() }
    }
    guard case .contents(let base) = try file.read() else { fatalError("the file is missing") }
    let bytes = texts.next()
    let stamp = Stamp(content: ContentHash(bytes), predecessor: base.hash, instance: file.instance)
    guard case .replaced = try file.replace(with: bytes, expecting: base, stamp: stamp) else {
      fatalError("the file was not replaced")
    }
  }

  /// What is written: a text with another digit each time, which is at hand, as it is for those that this is compared with. What
  /// the file and the spare were written with is kept to be compared with them, so it takes three texts in turn to copy none.
  private struct Texts {
    private var texts: [[UInt8]] = []
    private let digits: [Int]
    private var count = 0

    /// The first digit of the text changes each time, or that of each page.
    init(of file: SharedFile, isEverywhere: Bool) throws {
      guard case .contents(let contents) = try file.read() else { fatalError("the file is missing") }
      let bytes = contents.bytes
      digits = stride(from: 0, to: isEverywhere ? bytes.count : 1, by: 4_096).compactMap { start in
        bytes[start...].firstIndex { (0x30...0x39).contains($0) }
      }
      for _ in 0..<3 { texts.append(bytes.map { $0 }) }
    }

    mutating func next() -> [UInt8] {
      count += 1
      let place = count % texts.count
      for digit in digits { texts[place][digit] = 0x30 + UInt8(count % 10) }
      return texts[place]
    }
  }

  /// The first number in the text, which the writer counts up.
  private static func number(in bytes: [UInt8]) -> Int {
    var number = 0
    for byte in bytes.drop(while: { !(0x30...0x39).contains($0) }).prefix(while: { (0x30...0x39).contains($0) }) {
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  /// Prints a line at once.
  private static func say(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
