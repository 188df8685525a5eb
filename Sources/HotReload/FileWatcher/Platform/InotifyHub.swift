import CLinux
import Glibc
import Synchronization

/// An inotify descriptor, which all watchers of the process share: the system allows a user only 128 of them.
///
/// Every driver thread polls the same descriptor. Whichever is first reads all events and hands them to the watchers
/// concerned, on whatever threads these are.
final class InotifyHub: Sendable {
  /// Gets the events that it asked for. Called with the hub's lock held.
  protocol Listener: AnyObject, Sendable {
    func hear(_ event: Event)
  }

  enum Event: Hashable, Sendable {
    /// Something may be different in any way, or it isn't watched any more.
    case lost
    /// What was watched moved, or went away.
    case moved
    /// Another file stands at the name, or the file has gone from it.
    case replaced(Role)
    /// A writer closed the file.
    case closed
    /// The file was written to, by a writer who may go on.
    case modified
  }

  /// What something is watched for.
  enum Role: Hashable, Sendable {
    /// Directories on the way, in case they are moved.
    case way
    /// The name of the shared file's own directory. As it is kept open, it doesn't tell that it was deleted: that its
    /// name is gone does.
    case folder(String)
    /// A name in a directory, in case something else comes to stand there.
    case name(String)
    /// The shared file's own name in its directory.
    case target(String)
    /// The shared file itself.
    case file
    /// A directory, in case anything in it changes.
    case contents
  }

  struct Interest: Hashable, Sendable {
    let path: String
    let role: Role
  }

  private struct Subscription {
    let listener: any Listener
    let path: String
    let role: Role
    /// The name that it is about, as the kernel tells it.
    let name: [UInt8]

    init(_ listener: any Listener, _ interest: Interest) {
      self.listener = listener
      path = interest.path
      role = interest.role
      name = Array((role.name ?? "").utf8)
    }

    /// Tells the listener what an event means to it, if anything.
    func hear(_ mask: UInt32, _ name: UnsafeRawBufferPointer) {
      if let event = role.event(mask, isOwnName: isAbout(name)) { listener.hear(event) }
    }

    /// Whether a name is the one that it is about. It ends with its first zero, or with the buffer.
    func isAbout(_ name: UnsafeRawBufferPointer) -> Bool {
      guard name.starts(with: self.name) else { return false }
      return name.count == self.name.count || name[self.name.count] == 0
    }
  }

  private struct State: ~Copyable {
    var descriptor: FileDescriptor?
    var watches = WatchTable<Subscription>()
  }

  /// The length of an event with the longest name that there can be, and more.
  private static let longestEvent = MemoryLayout<inotify_event>.size + 512

  /// The one of this process.
  static var shared: InotifyHub { ProcessState.current.hub }
  /// The one of this process for those who look after a share.
  static var ofSharers: InotifyHub { ProcessState.current.hubOfSharers }

  private let state = Mutex(State())
  private let buffer = Mutex([UInt8](repeating: 0, count: 1 << 16))

  /// What to wait for in `Poller`; -1 before anything could be watched.
  var rawDescriptor: Int32 { state.withLock { $0.descriptor?.rawValue ?? -1 } }

  /// Tells the two limits apart that one error stands for: the user's, of inotify, and the process's, of any descriptors.
  private static func telling(_ error: SystemError) -> SystemError {
    guard error.errno == EMFILE else { return error }
    do throws(SystemError) {
      _ = try FileDescriptor(opening: "/", System.O_PATH)
      return error
    } catch {
      return SystemError(call: "inotify_init1", errno: EMFILE, detail: error.reason)
    }
  }

  /// Watches exactly these for a listener, and nothing else any more.
  ///
  /// What stays is never unwatched in between. Directories on the way that may not be listed are left out.
  ///
  /// - Throws: `ENOENT`, `ENOTDIR` when the way has changed; `ENOSPC`, `EMFILE`, `ENOMEM`, `EACCES` when it can't be
  ///   watched. Then what could be watched is.
  func watch(_ interests: [Interest], for listener: any Listener) throws(SystemError) {
    do throws(SystemError) {
      try state.withLock { state throws(SystemError) in try Self.watch(interests, for: listener, &state) }
    } catch {
      throw Self.telling(error)
    }
  }

  private static func watch(
    _ interests: [Interest], for listener: any Listener, _ state: inout State
  ) throws(SystemError) {
    let raw = try descriptor(&state)
    var failure: SystemError?
    var kept: [Int32: [Interest]] = [:]
    for interest in interests {
      do throws(SystemError) {
        let watch = try SystemError.check("inotify_add_watch", interest.path) {
          System.calls.inotify_add_watch(raw, interest.path, interest.role.mask)
        }
        kept[watch, default: []].append(interest)
      } catch {
        if error.errno == EACCES, interest.role.isOnlyPassedThrough { continue }
        // Missing, or not readable: then its directory has to tell.
        if interest.role == .file, error.errno == ENOENT || error.errno == EACCES { continue }
        failure = failure ?? error
      }
    }
    forget(listener, &state.watches)
    for (watch, interests) in kept { state.watches.add(interests.map { Subscription(listener, $0) }, to: watch) }
    removeUnused(&state)
    if let failure { throw failure }
  }

  /// The descriptor, which is made where there is none yet.
  private static func descriptor(_ state: inout State) throws(SystemError) -> Int32 {
    if let raw = state.descriptor?.rawValue { return raw }
    let raw = try SystemError.check("inotify_init1") { System.calls.inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    state.descriptor = FileDescriptor(owning: raw, path: "inotify")
    return raw
  }

  /// Watches the shared file that stands at a path now, or none, in the place of the one that stood there, and all else as
  /// before. That one stays watched for nobody until ``tidy()``, as to end that can take longer than all the rest.
  ///
  /// - Throws: As ``watch(_:for:)``; then none is watched.
  func watchFile(_ path: String?, for listener: any Listener) throws(SystemError) {
    var failure: SystemError?
    state.withLock { state in
      guard let raw = state.descriptor?.rawValue else { return }
      var new: Int32?
      do throws(SystemError) {
        if let path {
          new = try SystemError.check("inotify_add_watch", path) {
            System.calls.inotify_add_watch(raw, path, Role.file.mask)
          }
        }
      } catch {
        // Missing, or not readable: then its directory has to tell.
        if error.errno != ENOENT && error.errno != EACCES { failure = error }
      }
      let isOwn = { (subscription: Subscription) in subscription.listener === listener && subscription.role == .file }
      var isWatched = false
      for index in state.watches.entries.indices {
        if state.watches.entries[index].watch == new {
          isWatched = state.watches.entries[index].subscriptions.contains(where: isOwn)
        } else {
          state.watches.entries[index].subscriptions.removeAll(where: isOwn)
        }
      }
      if let path, let new, !isWatched {
        state.watches.add([Subscription(listener, Interest(path: path, role: .file))], to: new)
      }
    }
    if let failure { throw failure }
  }

  /// Has the kernel tell a listener nothing of what happens to the shared file until ``resume(_:)``, of the way to it all the
  /// same; where anybody else is told by the same watch, it goes on.
  func pause(_ listener: any Listener) {
    state.withLock { state in
      guard let raw = state.descriptor?.rawValue else { return }
      for (index, entry) in state.watches.entries.enumerated().reversed()
      where entry.subscriptions.allSatisfy({ $0.listener === listener && $0.role.isPausable }) {
        if entry.subscriptions.contains(where: { $0.role == .file }) {
          state.watches.entries.remove(at: index)
          _ = System.calls.inotify_rm_watch(raw, entry.watch)
        } else if let target = entry.subscriptions.first(where: \.role.isTarget) {
          Self.change(entry.watch, of: target, to: Role.pausedMask, raw)
        }
      }
    }
  }

  /// Has the kernel tell of the shared file's name again. Read the file afterwards; it isn't watched itself until ``watchFile(_:for:)``.
  func resume(_ listener: any Listener) {
    state.withLock { state in
      guard let raw = state.descriptor?.rawValue else { return }
      for entry in state.watches.entries {
        for target in entry.subscriptions where target.listener === listener && target.role.isTarget {
          Self.change(entry.watch, of: target, to: target.role.mask, raw)
        }
      }
    }
  }

  /// Has a watch tell of other events than before. Where its path has come to lead elsewhere, the way to it is lost.
  private static func change(_ watch: Int32, of subscription: Subscription, to mask: UInt32, _ raw: Int32) {
    let changed = System.calls.inotify_add_watch(raw, subscription.path, mask)
    if changed == watch { return }
    if changed >= 0 { _ = System.calls.inotify_rm_watch(raw, changed) }
    subscription.listener.hear(.lost)
  }

  /// Ends to watch what nobody is interested in any more. Each is an event of its own.
  ///
  /// - Returns: Whether there was any.
  func tidy() -> Bool { state.withLock { Self.removeUnused(&$0) } }

  /// Stops watching for a listener.
  func unwatch(_ listener: any Listener) {
    state.withLock { state in
      Self.forget(listener, &state.watches)
      Self.removeUnused(&state)
    }
  }

  /// Reads all events that are there, and tells the listeners. Never waits.
  func pump() {
    state.withLock { state in
      guard let raw = state.descriptor?.rawValue else { return }
      buffer.withLock { buffer in
        while true {
          let count = buffer.withUnsafeMutableBytes { System.calls.read(raw, $0.baseAddress!, $0.count) }
          if count < 0 && errno == EINTR { continue }
          if count <= 0 { return }
          buffer.withUnsafeBytes { Self.deliver(UnsafeRawBufferPointer(rebasing: $0[..<count]), &state) }
          // As many are read as there is room for: where there was room for another, there was none.
          if buffer.count - count >= Self.longestEvent { return }
        }
      }
    }
  }

  /// Delivers an event as if the kernel had sent it; for tests.
  func inject(mask: UInt32) {
    state.withLock { Self.deliver(watch: -1, mask: mask, name: UnsafeRawBufferPointer(start: nil, count: 0), &$0) }
  }

  private static func deliver(_ events: UnsafeRawBufferPointer, _ state: inout State) {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      offset += header
      let name = UnsafeRawBufferPointer(rebasing: events[offset..<(offset + Int(event.len))])
      deliver(watch: event.wd, mask: event.mask, name: name, &state)
      offset += Int(event.len)
    }
  }

  /// Most events are about another name.
  private static func deliver(watch: Int32, mask: UInt32, name: UnsafeRawBufferPointer, _ state: inout State) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      for subscription in state.watches.entries.flatMap(\.subscriptions) { subscription.listener.hear(.lost) }
      return
    }
    // One that nobody is interested in any more may still have events under way.
    guard let index = state.watches.index(of: watch) else { return }
    for place in state.watches.entries[index].subscriptions.indices {
      state.watches.entries[index].subscriptions[place].hear(mask, name)
    }
    if mask & UInt32(IN_IGNORED) != 0 { state.watches.entries.remove(at: index) }
  }

  private static func forget(_ listener: any Listener, _ watches: inout WatchTable<Subscription>) {
    for index in watches.entries.indices {
      watches.entries[index].subscriptions.removeAll { $0.listener === listener }
    }
  }

  @discardableResult private static func removeUnused(_ state: inout State) -> Bool {
    guard let raw = state.descriptor?.rawValue else { return false }
    var isAny = false
    for index in state.watches.entries.indices.reversed() where state.watches.entries[index].subscriptions.isEmpty {
      isAny = true
      // Fails when the kernel has removed it already; its last event is under way then.
      _ = System.calls.inotify_rm_watch(raw, state.watches.entries.remove(at: index).watch)
    }
    return isAny
  }
}

extension InotifyHub.Role {
  /// Whether all goes well, mostly, where the directory may not be listed and so not be watched.
  fileprivate var isOnlyPassedThrough: Bool {
    switch self {
    case .way, .folder: true
    case .name, .target, .file, .contents: false
    }
  }

  /// Whether it is about what becomes of the file, and not only of the way to it.
  fileprivate var isTarget: Bool { if case .target = self { true } else { false } }

  /// Whether nothing is lost by hearing of it later, where the file is read then.
  fileprivate var isPausable: Bool { self == .file || self == .way || isTarget }

  /// What to ask the kernel for of the file's own directory while its names don't matter: instead of what was asked for.
  fileprivate static var pausedMask: UInt32 { selves | UInt32(IN_ONLYDIR | IN_DONT_FOLLOW) }

  private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
  private static let writes = UInt32(IN_MODIFY | IN_CLOSE_WRITE)
  private static let selves = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)

  /// What to ask the kernel for. Added to what others ask for of the same file.
  fileprivate var mask: UInt32 {
    let additional = UInt32(IN_MASK_ADD) | UInt32(IN_DONT_FOLLOW)
    return switch self {
    case .way: Self.selves | UInt32(IN_ONLYDIR) | additional
    case .folder, .name: Self.selves | Self.changes | UInt32(IN_ONLYDIR) | additional
    // Of writes the file itself tells; a folder would tell of those to all files in it. But before the file is watched, who is
    // done with writing to it is seen here.
    case .target: Self.selves | Self.changes | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ONLYDIR) | additional
    case .file: Self.selves | Self.writes | additional
    case .contents: Self.selves | Self.changes | Self.writes | UInt32(IN_ONLYDIR) | additional
    }
  }

  /// The name in a directory that it is about.
  fileprivate var name: String? {
    switch self {
    case .way, .file, .contents: nil
    case .folder(let name), .name(let name), .target(let name): name
    }
  }

  /// What an event means to a subscriber in this role; nil if it is about something else.
  fileprivate func event(_ mask: UInt32, isOwnName: Bool) -> InotifyHub.Event? {
    // Whatever became of the file, it decides nothing about the way to it.
    if self == .file, mask & (Self.selves | UInt32(IN_IGNORED | IN_UNMOUNT)) != 0 { return .replaced(self) }
    if mask & UInt32(IN_IGNORED | IN_UNMOUNT) != 0 { return .lost }
    if mask & Self.selves != 0 { return .moved }
    switch self {
    case .way: return nil
    case .contents: return mask & (Self.changes | Self.writes) != 0 ? .modified : nil
    case .folder, .name: return isOwnName && mask & Self.changes != 0 ? .replaced(self) : nil
    case .target where !isOwnName: return nil
    case .target where mask & Self.changes != 0: return .replaced(self)
    case .target, .file:
      if mask & UInt32(IN_CLOSE_WRITE) != 0 { return .closed }
      return mask & UInt32(IN_MODIFY) != 0 ? .modified : nil
    }
  }
}
