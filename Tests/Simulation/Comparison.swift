import Glibc
import HotReload
import SimulatedMachine
import TestSupport

/// The same calls, one after another, on Linux and on a simulated machine: what they come to has to be the same.
///
/// Whatever they ask for is part of it: results and errors, contents, names, links, sizes, modes, locks, leases, attributes,
/// whether reading was noted, and what inotify tells.
public struct Comparison {
  /// Plays the calls of a seed on both.
  ///
  /// - Returns: Where they differ first; nil where they don't.
  public static func difference(seed: UInt64) -> String? {
    var template = Array("\(Environment["TMPDIR"] ?? "/tmp")/replicate-comparison.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return "no folder can be made: error \(errno)" }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { remove(folder) }
    var play = Play(seed: seed, in: folder)
    let real = play.play()

    let scheduler = Scheduler(seed: seed)
    let machine = SimulatedMachine("compared", on: scheduler)
    machine.files.features.notesReading = real.first == "reading is noted: true"
    machine.makeFolder("/work", owner: geteuid())
    var simulated: [String] = []
    machine.start("player", user: geteuid()) { _ in
      var play = Play(seed: seed, in: "/work")
      simulated = play.play()
      scheduler.finish()
    }
    scheduler.run()
    if real == simulated { return nil }
    // Or one of them ends before the other.
    let number = zip(real, simulated).prefix { $0 == $1 }.count
    let before = real[max(0, number - 40)..<number].joined(separator: "\n")
    let then = { (log: [String]) in log[number...].prefix(20).joined(separator: "\n  ") }
    return "seed \(seed):\n\(before)\non Linux:\n  \(then(real))\non a simulated one:\n  \(then(simulated))"
  }

  private static func remove(_ folder: String) {
    guard let folder = try? Folder(path: folder) else { return }
    for name in (try? folder.names(startingWith: "")) ?? [] where name != "." && name != ".." {
      // What can't be removed is a folder.
      if (try? folder.remove(name)) == nil { remove(folder.path(of: name)) }
    }
    rmdir(folder.path)
  }
}

/// Calls that follow from a seed, and what they came to.
private struct Play {
  private static let steps = 120
  private static let names = ["a", "b", "c", "d", "d/e"]
  private static let openings: [Int32] = [
    O_RDONLY, O_RDONLY, O_RDWR, O_WRONLY, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_EXCL,
    O_RDONLY | O_DIRECTORY, System.O_PATH,
  ]

  private var random: SplitMix64
  private let folder: String
  private var directory: Int32 = -1
  private var files: [Int32] = []
  private var inotify: Int32 = -1
  /// The cookies of moves, in the order in which they were told.
  private var cookies: [UInt32] = []
  private var log: [String] = []

  init(seed: UInt64, in folder: String) {
    random = SplitMix64(seed: seed)
    self.folder = folder
  }

  mutating func play() -> [String] {
    directory = System.calls.openat(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    inotify = System.calls.inotify_init1(Int32(IN_NONBLOCK) | O_CLOEXEC)
    findOutWhetherReadingIsNoted()
    // One, which stays: when a directory is told to be gone depends on who has open what was in it.
    note("mkdir d", System.calls.mkdirat(directory, "d", 0o700))
    for _ in 0..<Self.steps { step() }
    for file in files + [directory, inotify] { _ = System.calls.close(file) }
    return log
  }

  private mutating func note(_ what: String, _ result: Int) {
    log.append("\(what): \(result < 0 ? "error \(errno)" : "\(result)")")
  }

  private mutating func note(_ what: String, _ result: Int32) { note(what, Int(result)) }

  private mutating func findOutWhetherReadingIsNoted() {
    let file = System.calls.openat(directory, "probe", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    _ = System.calls.pwrite(file, "x", 1, 0)
    let isNoted = isReadingNoted(file)
    _ = System.calls.close(file)
    _ = System.calls.unlinkat(directory, "probe", 0)
    log.append("reading is noted: \(isNoted)")
  }

  /// Puts the last reading well before the last change, reads, and tells whether that shows.
  private func isReadingNoted(_ file: Int32) -> Bool {
    var status = stat()
    guard System.calls.fstat(file, &status) == 0 else { return false }
    let times = [timespec(tv_sec: status.st_mtim.tv_sec - 1, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0x3fff_fffe)]
    _ = System.calls.futimens(file, times)
    var byte: UInt8 = 0
    _ = System.calls.pread(file, &byte, 1, 0)
    _ = System.calls.fstat(file, &status)
    return status.st_atim.tv_sec >= status.st_mtim.tv_sec
  }

  private mutating func step() {
    let name = random.pick(Self.names)
    switch random.below(24) {
    case 0...4: open(name)
    case 5, 6: close()
    case 7, 8: write()
    case 9, 17: read()
    case 10:
      if let file { note("truncate", System.calls.ftruncate(file, off_t(random.below(30)))) }
    case 11: lookAt(name)
    case 12, 13, 14: rename(name)
    case 15: note("link \(name)", System.calls.linkat(directory, name, directory, random.pick(Self.names), 0))
    case 16: note("unlink \(name)", System.calls.unlinkat(directory, name, 0))
    case 18: list()
    case 19: lock()
    case 20: lease()
    case 21: attribute()
    case 22: watch(name)
    default: hear()
    }
  }

  private var file: Int32? { mutating get { files.isEmpty ? nil : random.pick(files) } }

  private mutating func open(_ name: String) {
    let flags = random.pick(Self.openings)
    // Never waits: whoever has a lease would be this very thread.
    let descriptor = System.calls.openat(directory, name, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o640)
    note("open \(name) \(flags)", min(descriptor, 0))
    if descriptor >= 0 { files.append(descriptor) }
  }

  private mutating func close() {
    guard !files.isEmpty else { return }
    note("close", System.calls.close(files.remove(at: random.below(files.count))))
  }

  private mutating func write() {
    guard let file else { return }
    let bytes = (0..<random.below(20) + 1).map { _ in UInt8(random.below(256)) }
    note("write", System.calls.pwrite(file, bytes, bytes.count, off_t(random.below(20))))
  }

  private mutating func read() {
    guard let file else { return }
    var bytes = [UInt8](repeating: 0, count: 50)
    let count = System.calls.pread(file, &bytes, bytes.count, off_t(random.below(20)))
    note("read", count)
    log.append("\(bytes.prefix(max(0, count)))")
  }

  private mutating func lookAt(_ name: String) {
    var status = stat()
    let result = System.calls.fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW)
    note("look at \(name)", result)
    if result == 0 { describe(status) }
    note("access \(name)", System.calls.faccessat(directory, name, W_OK, AT_EACCESS))
    guard let file, System.calls.fstat(file, &status) == 0 else { return }
    describe(status)
    if status.st_mode & S_IFMT == S_IFREG {
      note("chmod", System.calls.fchmod(file, random.pick([0o600, 0o644, 0o400])))
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 { log.append("noted: \(isReadingNoted(file))") }
  }

  private mutating func describe(_ status: stat) {
    // How large a directory is differs from file system to file system.
    let isFile = status.st_mode & S_IFMT == S_IFREG
    log.append("mode \(status.st_mode), \(isFile ? "links \(status.st_nlink), size \(status.st_size)" : "")")
  }

  private mutating func rename(_ name: String) {
    let (other, flags) = (random.pick(Self.names), random.pick([0, 0, 1, 2, 2]) as UInt32)
    note("rename \(name) \(other) \(flags)", System.calls.renameat2(directory, name, directory, other, flags))
  }

  private mutating func list() {
    let names = ((try? Folder(path: folder).names(startingWith: "")) ?? []).filter { $0 != "." && $0 != ".." }
    log.append("names: \(names.sorted())")
  }

  private mutating func lock() {
    guard let file else { return }
    let operation = random.pick([LOCK_EX | LOCK_NB, LOCK_EX | LOCK_NB, LOCK_UN])
    note("lock \(operation)", System.calls.flock(file, operation))
  }

  private mutating func lease() {
    guard let file else { return }
    // A lease that is broken would raise a signal that ends the process.
    note("signal", System.calls.setSignal(file, SIGURG))
    let type = random.pick([F_RDLCK, F_WRLCK, F_UNLCK])
    note("lease \(type)", System.calls.setLease(file, Int32(type)))
    note("leased", System.calls.lease(file))
  }

  private mutating func attribute() {
    guard let file else { return }
    let name = random.pick(["user.a", "user.b"])
    var buffer = [UInt8](repeating: 0, count: 64)
    switch random.below(4) {
    case 0: note("set \(name)", System.calls.fsetxattr(file, name, [1, 2, 3], random.below(4), 0))
    case 1:
      let count = System.calls.fgetxattr(file, name, &buffer, random.pick([0, 2, 64]))
      note("get \(name)", count)
      log.append("\(buffer.prefix(3))")
    case 2:
      // In no order.
      let count = buffer.withUnsafeMutableBytes {
        System.calls.flistxattr(file, $0.baseAddress?.assumingMemoryBound(to: CChar.self), 64)
      }
      note("list", count)
    default: note("remove \(name)", System.calls.fremovexattr(file, name))
    }
  }

  private mutating func watch(_ name: String) {
    let path = random.oneIn(3) ? folder : "\(folder)/\(name)"
    let events = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE
    let mask = UInt32(random.oneIn(3) ? IN_MODIFY | IN_CLOSE_WRITE : events) | UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
    let extra = UInt32(random.oneIn(2) ? IN_MASK_ADD : 0) | UInt32(IN_DONT_FOLLOW)
    if random.oneIn(4) {
      note("unwatch", System.calls.inotify_rm_watch(inotify, Int32(random.below(6))))
    } else {
      note("watch \(name)", System.calls.inotify_add_watch(inotify, path, mask | extra))
    }
  }

  private mutating func hear() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = System.calls.read(inotify, &buffer, buffer.count)
    note("hear", count)
    var offset = 0
    while offset < count {
      let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
      let start = offset + MemoryLayout<inotify_event>.size
      let name = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
      if event.cookie != 0, !cookies.contains(event.cookie) { cookies.append(event.cookie) }
      let move = cookies.firstIndex(of: event.cookie).map { ", move \($0)" } ?? ""
      log.append("  \(event.wd) \(String(event.mask, radix: 16)) \(String(decoding: name, as: UTF8.self))\(move)")
      offset = start + Int(event.len)
    }
  }
}
