import HotReload
import Replication
import StateJSON

/// The verbs about other devices.
extension RequestRunner {
  func share(_ share: Request.Share) throws -> ExitCode {
    switch share {
    case .start(let folder, let name, let except, let join):
      try self.share(through: folder, as: name, except, join)
    case .stop:
      // Where the folder is gone, leaving it is a matter of this device alone.
      let problem = try session(ShareAgreement.existing(for: request.file)).end(within: options.timeout)
      if let problem { console.tell(Failure(problem)) }
    }
    return .done
  }

  private func share(
    through folder: String?, as name: String?, _ except: [JSONPointer]?, _ join: ShareSession.JoinPolicy
  ) throws {
    // What must not be told is agreed before anything is.
    let (agreement, former) = try ShareAgreement.agree(for: request.file, folder: folder, name: name, except: except)
    let device: Device
    do {
      device = try session(agreement).synchronise(join: join, within: options.timeout)
    } catch {
      // Where that can't be taken back, the file stays shared, as `devices` and `doctor` say.
      if let former { _ = try? former.save() } else { try? agreement.end() }
      throw error
    }
    // Those that mirror it already begin to take part.
    var rollCall = try InstanceRollCall(of: request.file)
    _ = try rollCall.reports(until: MonotonicClock.now() + Duration.seconds(1).nanoseconds)
    let others = device.company
    let company = others.isEmpty ? "" : " with \(others.joined(separator: ", "))"
    console.tell("\(CommandTable.name): '\(request.file)' is shared as \(agreement.name)\(company)\n")
    for notice in agreement.filterEngines() { console.tell(notice) }
  }

  func devices(json: Bool) throws -> ExitCode {
    let agreement = try ShareAgreement.existing(for: request.file)
    let session = session(agreement)
    let list = try reports(session, within: options.timeout)
    if json {
      try console.print(["folder": .string(agreement.folder), "devices": .array(list.map(\.json))])
    } else {
      for report in list { try console.print(console.output.shown(report.line) + "\n") }
    }
    for fault in session.faults { console.tell("\(CommandTable.name): \(fault.escapedForTerminalLine)\n") }
    for name in session.unclearCopies {
      console.tell("\(CommandTable.name): \(Self.sentence(ofUnclear: name.escapedForTerminalLine))\n")
    }
    return session.faults.isEmpty ? .done : .no
  }

  /// What is said of a file that is nobody's to take in without being asked.
  static func sentence(ofUnclear copy: String) -> String {
    "'\(copy)' may be a copy that an engine made of the file, or somebody's own, and is left alone"
  }

  /// What is told of the devices that share the file; `nil` if it isn't shared.
  func deviceReports(within timeout: Duration) throws -> [DeviceReport]? {
    // That it isn't is no error here.
    guard let agreement = try? ShareAgreement.existing(for: request.file) else { return nil }
    return try reports(session(agreement), within: timeout)
  }

  private func reports(_ session: ShareSession, within timeout: Duration) throws -> [DeviceReport] {
    let device = try session.synchronise(within: timeout)
    let heard = session.heard
    return device.standings.enumerated().map { index, standing in
      DeviceReport(standing, isThis: index == 0, heard: heard[standing.device], now: WallClock.now())
    }
  }

  private func session(_ agreement: ShareAgreement) -> ShareSession {
    ShareSession(agreement, options: mirrorOptions(creates: true, watches: false)) { [console] notice in
      console.tell(notice)
    }
  }
}

/// What is told of a device.
struct DeviceReport {
  /// How far a clock may be off, or a change on its way, before that is told, in milliseconds.
  private static let tolerance: Int64 = 60_000

  let standing: DeviceStanding
  let isThis: Bool
  /// When something was last heard of it, in milliseconds since 1970.
  let heard: Int64?
  /// How far its clock is ahead of this machine's at least, in milliseconds. That one is behind can't be told from a change that
  /// took long.
  let skew: Int64?
  private let now: Int64

  init(_ standing: DeviceStanding, isThis: Bool, heard: Int64?, now: Int64) {
    (self.standing, self.isThis, self.heard, self.now) = (standing, isThis, heard, now)
    // A journal may say any time.
    skew = heard.flatMap { heard in standing.lastTime.map { Int64($0).subtractingReportingOverflow(heard) } }.flatMap {
      !$0.overflow && $0.partialValue > Self.tolerance ? $0.partialValue : nil
    }
  }

  var line: String {
    var words = [standing.title]
    if isThis {
      words.append("this device")
    } else {
      words.append(heard.map { "heard of \(Self.text(of: now - $0)) ago" } ?? "never heard of")
      words.append(standing.unreadCount == 0 ? "has read all" : "is yet to read \(Self.changes(standing.unreadCount))")
    }
    if standing.waitingCount > 0 {
      words.append("\(standing.waitingCount) of its lines wait for others that are missing")
    }
    if let skew { words.append("its clock is \(Self.text(of: skew)) ahead") }
    if standing.hasLeft { words.append("has left") }
    return words.joined(separator: "  ")
  }

  var json: JSONValue {
    JSONValue(present: [
      "device": .string(standing.device), "name": standing.name.map(JSONValue.string), "this": .bool(isThis),
      "heard": heard.map { .string(WallClock.universalTime(milliseconds: $0)) },
      "unread": isThis ? nil : JSONValue(standing.unreadCount), "waiting": JSONValue(standing.waitingCount),
      "ahead": skew.map { JSONValue(Int($0 / 1000)) }, "left": .bool(standing.hasLeft),
    ])
  }

  private static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

  /// A time in the unit that fits.
  private static func text(of milliseconds: Int64) -> String {
    let seconds = max(milliseconds / 1000, 0)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
