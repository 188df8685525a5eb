/// Tells that a file may have changed, whichever way: written, replaced, removed, made again, reached by another link
/// or in another folder.
///
/// Use it from one thread. It only says *that* something happened: read the file and compare.
package final class FileWatcher {
  /// How soon to read the file.
  package enum Dirty: Comparable, Sendable {
    case clean
    /// Somebody is writing: read after 20 ms without a further event, and 250 ms after the first at the latest.
    case afterQuiet
    case now
  }

  /// How long a file must be quiet that somebody writes to, in nanoseconds.
  package static let quiet: UInt64 = 20_000_000
  /// How long somebody may go on writing before the file is read anyway, in nanoseconds.
  static let quietLimit: UInt64 = 250_000_000

  private let path: String
  private let hub: InotifyHub
  private let mailbox: Mailbox

  /// The file at the end of the way that is watched.
  private var file: String?
  /// Whether another one may have come to stand there, which isn't watched itself yet.
  private var isFileStale = false

  /// Why changes may go unnoticed, so that the file must be polled. Nil when all is well.
  package private(set) var blindness: Blindness?

  /// Whether the last `drain()` told of nothing but another file at the end of the same way: nobody is known to have
  /// written to it.
  package private(set) var isMereReplacement = false

  /// Whether the way to the file is watched, and the last `drain()` told of no change of it.
  package private(set) var isSameWay = false

  /// Whether what happens to the file goes unheard.
  private(set) var isPaused = false
  /// Whether anything may have happened unheard that nobody was told of.
  private var isUnheard = false

  /// Whether the last `drain()` told of a pause, in which anything may have happened to the file.
  package private(set) var wasPaused = false

  /// Begins to watch. Read the file afterwards, not before.
  ///
  /// - Parameters:
  ///   - path: Absolute. Nothing of it needs to exist.
  ///   - waker: Woken when another watcher's thread was handed an event for this one.
  package convenience init(path: String, waker: Waker) {
    self.init(path: path, waker: waker, hub: .shared)
  }

  init(path: String, waker: Waker, hub: InotifyHub) {
    self.path = path
    self.hub = hub
    mailbox = Mailbox(waker)
    arm()
  }

  deinit { hub.unwatch(mailbox) }

  /// What to wait for in `Poller`, besides the waker: then call `drain()`.
  package var rawDescriptor: Int32 { hub.rawDescriptor }

  /// Collects what happened since the last call. Where the path may lead another way now, that is watched first; another file at
  /// the end of the same way is left to ``tidy()``, so that it can be read before.
  package func drain() -> Dirty {
    var dirty = isUnheard ? Dirty.now : .clean
    (wasPaused, isUnheard) = (isUnheard, false)
    isMereReplacement = true
    isSameWay = blindness == nil
    // A change while arming is an event as well; but who is renaming without end must not hold us up.
    for _ in 0..<3 {
      mailbox.expect()
      hub.pump()
      let news = mailbox.take()
      dirty = max(dirty, news.dirty)
      if news.isMore { isMereReplacement = false }
      switch news.staleness {
      case .none: return dirty
      case .file:
        isFileStale = true
        return dirty
      case .way:
        isSameWay = false
        arm()
      }
    }
    return dirty
  }

  /// Hears nothing more of what happens to the file, as it will be read anyway: so its changes, by others that come first, cost
  /// nobody anything. A change of the way to it is told all the same.
  package func pause() {
    if isPaused || blindness != nil { return }
    isPaused = true
    hub.pause(mailbox)
  }

  /// Hears of what happens to the file again.
  ///
  /// - Parameter isReading: Whether the file is read next. Otherwise the next `drain()` says that it may have changed.
  package func resume(beforeReading isReading: Bool = false) {
    guard isPaused else { return }
    isPaused = false
    isFileStale = true
    isUnheard = !isReading
    hub.resume(mailbox)
  }

  /// Does what `drain()` leaves for when there is time: watches the file that stands there now, and not the one before it any
  /// more.
  ///
  /// - Returns: Whether there was anything to do. Then look whether the file is still what was read, as it may have been written
  ///   to by another name while it wasn't watched, and call `drain()`, as the end of a watch is an event as well.
  package func tidy() -> Bool {
    let wasStale = isFileStale
    if isFileStale { armFile() }
    return hub.tidy() || wasStale
  }

  /// Watches the file that stands at the end of the way now. The way to it is watched all the time: should it have become
  /// another, an event tells.
  private func armFile() {
    isFileStale = false
    guard blindness == nil, let file else { return arm() }
    do throws(SystemError) {
      let status = try FileStatus(ofLinkIfThere: file)
      // The way goes on.
      if status?.isSymbolicLink == true { return arm() }
      try hub.watchFile(status == nil ? nil : file, for: mailbox)
    } catch {
      // Which tells why, and whether it matters.
      arm()
    }
  }

  /// Watches everything that decides which file the path means, as it is now.
  ///
  /// Only needed while `blindness` is set, to try again. Read the file afterwards.
  package func arm() {
    blindness = nil
    isFileStale = false
    var walk: PathWalk?
    for _ in 0..<8 {
      do throws(SystemError) {
        let before = try PathWalk(path)
        walk = before
        let watching = Result { () throws(SystemError) in try hub.watch(interests(in: before), for: mailbox) }
        // The way may have changed while it was being watched, so that part of it was not.
        if try PathWalk(path) != before { continue }
        if case .failure(let failure) = watching, failure.errno == System.ENOENT { continue }
        try watching.get()
      } catch {
        blindness = Blindness(cause: error)
      }
      break
    }
    file = walk?.target?.path
    // A place whose kind can't be told has failed above already, or is taken for one that announces its changes.
    if let directory = walk?.steps.last?.directory, let kind = try? FileSystemKind(at: directory),
      kind.changesBehindOurBack
    {
      blindness = Blindness(fileSystem: kind)
    }
  }

  private func interests(in walk: PathWalk) -> [InotifyHub.Interest] {
    walk.steps.flatMap { step -> [InotifyHub.Interest] in
      switch step.kind {
      case .directory:
        let isFolder = walk.target?.directory == step.path
        return [.init(path: step.directory, role: isFolder ? .folder(step.name) : .way)]
      case .symbolicLink, .missing:
        return [.init(path: step.directory, role: .name(step.name))]
      case .target:
        // The file itself as well, if it is there: what is done to it through another name or mount.
        return [.init(path: step.directory, role: .target(step.name)), .init(path: step.path, role: .file)]
      }
    }
  }
}

/// Why a file must be polled: events alone would miss changes.
package struct Blindness: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(cause: SystemError) {
    description =
      switch cause.errno {
      case System.ENOSPC: "the inotify watch limit is reached; raise fs.inotify.max_user_watches"
      case System.EMFILE where cause.call == "inotify_init1" && cause.detail == nil:
        "the inotify instance limit is reached; raise fs.inotify.max_user_instances"
      default: cause.reason
      }
  }

  init(fileSystem: FileSystemKind) {
    description = "\(fileSystem) doesn't announce every change"
  }
}
