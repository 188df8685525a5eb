import StateJSON

/// Carries out a replica's instructions on a real file, and tells it what happens there.
///
/// Everything here runs on one thread, where waiting for a lock or a disk holds up nobody else.
final class Driver {
  typealias Brain = Replica<AnyReplicaModel>

  /// How often a quiet file is examined, should a notification have been missed.
  static let tick: UInt64 = 1_000_000_000
  /// Every so many ticks the bytes are compared too, where size and times would hide a change.
  static let ticksPerRead = 10
  /// How often the file is read where nothing notifies of changes.
  static let blindTick: UInt64 = 250_000_000
  /// After so many ticks without an action it is looked whether those led to the same as in the program.
  static let ticksBeforeComparison = 10
  /// How long a file that is being written is read again and again before that is put off.
  static let moment: UInt64 = 30_000_000
  /// How long what another instance did may go unseen while this one waits for the lock to commit.
  static let longestUnseen: UInt64 = 150_000_000
  /// For how long the driver shares a large state with a program that got it from the file: to make one of its own takes three times as
  /// long as a change from outside, and there may be many.
  static let sharing: UInt64 = 250_000_000
  /// How often displaced files are looked into.
  static let housekeeping: UInt64 = 50_000_000
  /// How long those that somebody still writes to are waited for at the end.
  static let farewell: UInt64 = 1_000_000_000
  /// For how long a file that is missing at first may be about to come back.
  static let firstPatience: UInt64 = 100_000_000
  /// How long somebody is waited for at the start who has moved the file aside.
  static let longestStart: UInt64 = 10_000_000_000
  /// After so long a wait for the lock is reported.
  static let patience: UInt64 = 2_000_000_000

  // The parts that it works with.
  let view: any ReplicaView
  let options: ReplicatorOptions
  var replica: Brain
  let file: SharedFile
  let watcher: FileWatcher?
  let waker: Waker
  /// How the thread that works is woken.
  private(set) lazy var wakeUp = WakeUp()

  // Its state. What is only meaningful together is one value.
  var deadlines = Deadlines<Deadline>()
  var writes: Writes? {
    didSet { deadlines[.quiet] = writes?.end }
  }
  var pulse = Pulse()
  var lockWait: LockWait?
  var lockWaiter: LockWaiter?
  var burst = Burst()
  /// Whether this thread does nothing but look after the file, so that the lock can be kept between two commits.
  var isRunning = false
  /// Whether what killed instances left was looked after.
  var hasRecovered = false
  var weaknesses = Weaknesses()
  var ledger = Ledger()
  var devices = Devices() {
    didSet { replica.recordsActions = devices.form != nil || options.replica.recordsActions }
  }
  var membership = Membership()
  var claims = Claims()
  var progress = Progress()
  /// The waiters for actions that are not in the file yet.
  var appointments: [Appointment] = []

  init<View: ReplicaView>(
    view: View, model: View.Model, initial: View.Model.State, options: ReplicatorOptions, waker: Waker
  ) throws(Problem) {
    self.view = view
    self.options = options
    self.waker = waker
    let path = options.replica.file
    do throws(SystemError) {
      file = try SharedFile(
        path: path, instance: options.replica.instance, durability: options.durability,
        sizeLimit: options.replica.limits.size, stateFolder: options.stateFolder)
    } catch {
      throw Problem(.cannotRead, file: path, error)
    }
    replica = Brain(model: AnyReplicaModel(model), initial: AnyState(initial), options: options.replica)
    watcher = options.watches ? FileWatcher(path: file.path, waker: waker) : nil
    deadlines[.tick] = MonotonicClock.now() + (watcher?.blindness == nil ? Self.tick : Self.blindTick)
    noteShareForm()
  }

  /// Joins the file: adopts what stands there, or seeds it.
  ///
  /// - Parameter deadline: Until when somebody is waited for who has moved the file aside.
  /// - Throws: When there is nothing to join, or it can't be read.
  func start(until deadline: UInt64 = MonotonicClock.now() + longestStart) throws(Problem) {
    reportWeaknesses()
    perform(replica.handle(.seen(try firstLook(until: deadline))))
    separate()
  }

  /// Joins the file to stay: as ``start()``, and can be asked from then on.
  func startToStay() throws(Problem) {
    try start()
    membership.stays = true
    register()
    view.claims?.attach(waker)
  }

  var path: String { options.replica.file }
}
