import Glibc

/// An inotify descriptor: what it watches, and what it has yet to tell.
final class Inotify {
  final class Watch {
    let number: Int32
    unowned let inotify: Inotify
    let inode: Inode
    var mask: UInt32

    init(_ number: Int32, _ inotify: Inotify, _ inode: Inode, _ mask: UInt32) {
      (self.number, self.inotify, self.inode, self.mask) = (number, inotify, inode, mask)
    }

    /// What it watched is gone.
    func forget() {
      inotify.watches.removeAll { $0 === self }
      inotify.tell(Event(watch: number, mask: UInt32(IN_IGNORED)))
    }
  }

  struct Event {
    var watch: Int32
    var mask: UInt32
    var cookie: UInt32 = 0
    var name = ""

    /// As the kernel gives it: the name is padded to a multiple of the header's size.
    var encoded: [UInt8] {
      let header = 16
      let length = name.isEmpty ? 0 : (name.utf8.count + header) / header * header
      var bytes: [UInt8] = []
      for field in [UInt32(bitPattern: watch), mask, cookie, UInt32(length)] {
        withUnsafeBytes(of: field) { bytes += $0 }
      }
      return bytes + name.utf8 + [UInt8](repeating: 0, count: length - name.utf8.count)
    }
  }

  fileprivate(set) var watches: [Watch] = []
  private(set) var events: [Event] = []
  private var lastNumber: Int32 = 0
  /// Decides what becomes of an event: how often it is told, and whether one is told instead that says that some were lost.
  let fate: () -> Fate

  enum Fate { case told, doubled, lost, swept }

  init(fate: @escaping () -> Fate) { self.fate = fate }

  func add(_ inode: Inode, _ mask: UInt32) -> Int32 {
    let events = mask & ~UInt32(IN_MASK_ADD | IN_ONLYDIR | IN_DONT_FOLLOW)
    if let watch = watches.first(where: { $0.inode === inode }) {
      watch.mask = mask & UInt32(IN_MASK_ADD) != 0 ? watch.mask | events : events
      return watch.number
    }
    lastNumber += 1
    let watch = Watch(lastNumber, self, inode, events)
    watches.append(watch)
    inode.watches.append(watch)
    return watch.number
  }

  func remove(_ number: Int32) throws(Refusal) {
    guard let watch = watches.first(where: { $0.number == number }) else { throw Refusal(EINVAL) }
    watch.inode.watches.removeAll { $0 === watch }
    watch.forget()
  }

  func close() {
    for watch in watches { watch.inode.watches.removeAll { $0 === watch } }
    watches = []
  }

  func tell(_ event: Event) {
    switch fate() {
    case .told: append(event)
    case .doubled:
      append(event)
      events.append(event)
    case .lost: break
    case .swept: append(Event(watch: -1, mask: UInt32(IN_Q_OVERFLOW)))
    }
  }

  /// One that is the same as the last, but for the cookie, is told once.
  private func append(_ event: Event) {
    if let last = events.last, last.watch == event.watch, last.mask == event.mask, last.name == event.name { return }
    events.append(event)
  }

  /// As many events as there is room for.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    var count = 0
    while let event = events.first {
      let bytes = event.encoded
      if count + bytes.count > buffer.count { break }
      UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: bytes)
      count += bytes.count
      events.removeFirst()
    }
    if count == 0 { throw Refusal(events.isEmpty ? EAGAIN : EINVAL) }
    return count
  }
}

extension Inode {
  /// Tells those who watch it: of itself, or of a name in it.
  func notify(_ event: Int32, named name: String = "", isDirectory: Bool = false, cookie: UInt32 = 0) {
    for watch in watches where watch.mask & UInt32(event) != 0 {
      let mask = UInt32(event) | (isDirectory ? UInt32(IN_ISDIR) : 0)
      watch.inotify.tell(Inotify.Event(watch: watch.number, mask: mask, cookie: cookie, name: name))
    }
  }
}
