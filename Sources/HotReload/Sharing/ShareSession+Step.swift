import Replication
import StateJSON

/// What a session does while the file has to stay as it is: under the file's own lock.
extension ShareSession {
  /// Says what was committed, where nothing has arrived: then others needn't wait for more than that the log is read.
  ///
  /// What was committed must be said before it is said that what has arrived was read, and what comes of that be brought in before anybody
  /// commits: so otherwise that is done under the file's lock. Where people save in the file itself, what they meant is found out before.
  ///
  /// - Returns: Whether that is all that there is to do.
  func tell(_ journals: ShareJournals, until deadline: UInt64) throws -> Bool {
    let isAll = !journals.hasArrivals && copies.found.isEmpty
    guard let exported = journals.device.exported, isAll || agreement.form == .inside else { return false }
    var addition: ShareLog.Addition?
    var found: FoundDocument?
    try underLock(journals, until: deadline) { [self] in
      (addition, found) = (try log.addition(since: exported), $0)
      return nil
    }
    guard let found, let addition, let news = log.news(in: addition, until: found) else { return false }
    if isAll { return try arrival(journals, news, .merge, isThere: true) == nil }
    try tell(news, commits(of: news.without(places), after: journals.device), to: journals)
    try explainSaves(in: journals)
    return false
  }

  /// Says what was committed, and brings in what others did; returns whether there was anything to bring in.
  func step(
    _ journals: ShareJournals, _ join: JoinPolicy, besides unknown: [String]?, until deadline: UInt64
  ) throws -> Bool {
    // Nobody who commits has to wait for it. But what a device says first rests on what it had taken before.
    if journals.device.journal.count > 1 {
      let isHomeKnown = home != nil || places.pointers.isEmpty
      journals.prepare(for: isHomeKnown ? app(at: home) : nil)
    }
    var isChanged = false
    try underLock(journals, until: deadline) { [self] found in
      if let unknown { try goOn(journals, besides: unknown) }
      let news = try log.news(since: journals.device.exported ?? beginning(journals.device), until: found)
      let arrival = try arrival(journals, news, join, isThere: found != nil)
      isChanged = arrival != nil
      return arrival
    }
    return isChanged
  }

  /// Goes on under another name, where its journal says more than the device knows: not with what it had said before what it keeps
  /// was set back.
  private func goOn(_ journals: ShareJournals, besides unknown: [String]) throws {
    var nothing: [LocalCommit] = []
    for label in unknown.reversed() where nothing.isEmpty {
      let news = try log.news(since: label)
      if news.isWhole { nothing = [LocalCommit(label: label, time: news.time, before: nil, after: nil)] }
    }
    try journals.beginAgain(saying: nothing)
    try journals.readFolder()
  }

  /// Calls while the file's lock is held and what stands there was read, and brings in what that returns.
  private func underLock(
    _ journals: ShareJournals, until deadline: UInt64,
    _ body: @escaping (_ found: FoundDocument?) throws -> ShareModel.Arrival?
  ) throws {
    var failure: (any Error)?
    let view = ShareView(onNotice: onNotice) {
      do { return try body($0) } catch {
        failure = error
        return nil
      }
    }
    var options = options
    options.watches = false
    options.completesLog = true
    options.replica.join = .create
    options.replica.instance = InstanceName.random()
    options.replica.author = DeviceName.mark(of: journals.unreadAuthors)
    let now = MonotonicClock.now()
    let timeout = Duration.nanoseconds(Int64(deadline > now ? deadline - now : 0))
    try Replicator.runAlone(
      view: view, model: ShareModel(places: places), initial: ShareModel.nothing, options: options, log: versions,
      within: timeout)
    if let failure { throw failure }
    if let problem = view.failure {
      throw Problem(.cannotShare, file: options.replica.file, message: problem.message, errno: problem.errno)
    }
  }

  /// Says what was committed, and takes what others did; returns what is to be brought into the file, `nil` if it has that.
  private func arrival(
    _ journals: ShareJournals, _ whole: ShareLog.News, _ join: JoinPolicy, isThere: Bool
  ) throws -> ShareModel.Arrival? {
    let news = try whole.without(places)
    if journals.device.exported == nil {
      let (contents, commits) = joining(news, after: beginning(journals.device), isThere: isThere)
      journals.take()
      // Since then it may have come to hold something else.
      let version = commits.isEmpty ? news.hash.flatMap(standingVersion) : nil
      if try version.map({ try !joinFile(with: contents, $0, join, in: journals) }) ?? true {
        try journals.say { device in
          try device.join(with: contents, by: join, without: places)
            + (version.map { try device.declare([$0]) } ?? [])
        }
      }
      try tell(news, commits, to: journals)
    } else {
      try tell(news, commits(of: news, after: journals.device), to: journals)
    }
    try tellCopies(in: journals)
    home = whole.value
    try journals.say { try $0.introduce(as: agreement.name) }
    journals.take()
    var there: Set<LineID>?
    try journals.say { device in
      try device.respond(
        app: app(at: whole.value), at: ShareJournals.now,
        nearest: { [self] in origin(of: $0, $1, besides: $2)?.version }
      ) { id in
        // What can't be read now isn't there.
        if there == nil { there = (try? journals.linesThere()) ?? [] }
        return there?.contains(id) == true
      }
    }
    guard !isThere || news.value != nil else {
      // What is to be brought in would take the place of what nobody has been told.
      throw SystemError(call: "share", errno: System.EIO, path: agreement.file, detail: "recent versions can't be kept")
    }
    guard let value = try places.removed(from: journals.document), !isThere || value != news.value else { return nil }
    guard value.isNested(atMost: options.replica.limits.depth) else {
      throw SystemError(
        call: "share", errno: System.EINVAL, path: agreement.file,
        detail: "another device has nested it deeper than \(options.replica.limits.depth) levels")
    }
    return ShareModel.Arrival(base: news.value, isThere: isThere, value: value)
  }

  private func tell(_ news: ShareLog.News, _ commits: [LocalCommit], to journals: ShareJournals) throws {
    switch agreement.form {
    case .inside:
      if news.written.contains(where: \.wasFound) {
        try journals.say { try $0.declareReading() }
      }
      journals.take()
      declared.origins = nil
      try tellFile(news, commits, to: journals)
    case .apart where !commits.isEmpty:
      try journals.say { try $0.export(commits) }
    case .apart: break
    }
  }

  /// The label of what the file held when it came to be shared, if this device has never said anything.
  private func beginning(_ device: Device) -> String? { device.journal.isEmpty ? agreement.since : nil }

  /// The contents that a file had when it came to be shared, as a commit, and the commits since. Where these aren't known, it has the
  /// contents of now.
  private func joining(
    _ news: ShareLog.News, after beginning: String?, isThere: Bool
  ) -> (contents: LocalCommit, since: [LocalCommit]) {
    func contents(_ label: String?, _ value: JSONValue?) -> LocalCommit {
      LocalCommit(label: label ?? ShareLog.start, time: news.time, before: nil, after: value)
    }
    guard let beginning, news.isWhole, let first = news.commits.first else {
      return (contents(news.label, isThere ? news.value : nil), [])
    }
    // An instance that met with a file has remembered first what that held.
    if first.seed == .contents || first.save != nil && first.before == nil {
      return (contents(first.label, first.after), Array(news.commits.dropFirst()))
    }
    return (contents(beginning, first.before), news.commits)
  }

  /// What is to be told of a log to those who know what a device has told.
  private func commits(of news: ShareLog.News, after device: Device) throws -> [LocalCommit] {
    guard news.isWhole else {
      // How the file came to be what it is can't be told, but what it is can.
      guard let value = news.value, let label = news.label else { return [] }
      return [LocalCommit(label: label, time: news.time, before: try told(by: device), after: value)]
    }
    // Defaults win over nothing that was told.
    guard let first = news.commits.first, first.before == nil, first.seed != .defaults,
      let told = try told(by: device)
    else { return news.commits }
    // The log was begun anew: it goes on from there.
    let commit = LocalCommit(
      label: first.label, time: first.time, before: told, after: first.after, actions: first.actions, size: first.size,
      sums: first.sums, app: first.app)
    return [commit] + news.commits.dropFirst()
  }

  private func told(by device: Device) throws -> JSONValue? { try places.removed(from: device.documentSaid()) }

  private var places: HomePlaces { HomePlaces(pointers: agreement.except) }

  /// The app, which finds at the places that stay here what the file has.
  private func app(at document: JSONValue?) -> (any ActionReducer)? {
    guard let app, !places.pointers.isEmpty else { return app }
    return HomeReducer(app: app, places: places, home: document)
  }
}

extension Device {
  /// Says what the file held when the device came to share it.
  fileprivate mutating func join(
    with contents: LocalCommit, by policy: ShareSession.JoinPolicy, without places: HomePlaces
  ) throws(JournalLineError) -> [JournalLine] {
    let known = try? places.removed(from: document)
    let (label, time) = (contents.label, contents.time)
    // Without a change, it says that nothing up to there is to be said.
    let nothing = LocalCommit(label: label, time: time, before: contents.after, after: contents.after)
    guard let value = contents.after, known != value else { return try export([nothing], isReading: true) }
    switch policy {
    case .adopt where known != nil: return try export([nothing], isReading: true)
    case .overwrite where known != nil:
      return try export([LocalCommit(label: label, time: time, before: known, after: value)], isReading: true)
    case .merge, .adopt, .overwrite: return try seed(value, .contents, upto: label)
    }
  }
}
