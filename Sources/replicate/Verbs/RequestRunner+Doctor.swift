import HotReload
import Replication
import StateJSON

extension RequestRunner {
  /// Says what the file's place allows, and what that means for the promises.
  func doctor(json: Bool) throws -> ExitCode {
    let report = try PlaceReport(probing: request.file)
    var findings = report.findings
    // Where the list of instances can't be read nothing is said of them, as of all that can't be tried.
    if let instances = try? InstanceRollCall(of: request.file).instances() {
      findings.append(Finding(externalEdits: options.externalEdits.policy, of: instances))
    }
    findings += sharingFindings()
    let verdict: ExitCode =
      report.unusableBecause != nil ? .system : findings.allSatisfy(\.isWell) ? .done : .no
    if json {
      try console.print(report.json(file: request.file, findings: findings), style: Request.GetStyle())
    } else {
      for finding in findings {
        let label = finding.isWell ? "ok      " : finding.name == "write" ? "unusable" : "degraded"
        try console.print(console.output.shown("\(label)  \(finding.text)") + "\n")
      }
    }
    return verdict
  }
}

extension RequestRunner {
  /// Whether the file is shared with other devices, can be, and what waits; nothing if it isn't.
  private func sharingFindings() -> [Finding] {
    do throws(Problem) {
      // Where the state folder can't be read nothing is said of it either.
      guard let path = try? SharedFile(path: request.file, instance: InstanceName.random()).resolvedPath,
        ShareAgreement.exists(for: path)
      else { return [] }
      let agreement = try ShareAgreement.existing(for: request.file)
      let session = ShareSession(agreement, options: mirrorOptions(watches: false)) { _ in }
      let device = try session.device()
      let others = device.standings.dropFirst().filter { !$0.hasLeft }.map { $0.name ?? $0.device }
      let company = others.isEmpty ? "nobody yet" : others.joined(separator: ", ")
      let sharing = Finding(
        name: "sharing", isWell: true,
        text: "shared as \(agreement.name) with \(company), through '\(agreement.folder)'")
      return [sharing] + Finding.waiting(for: device.standings)
        + Finding.copies(waiting: session.waitingCopies, unclear: session.unclearCopies)
    } catch {
      return [Finding(name: "sharing", isWell: false, text: error.message)]
    }
  }
}

extension Finding {
  /// What other devices have said, and doesn't count yet.
  fileprivate static func waiting(for devices: [DeviceStanding]) -> [Finding] {
    devices.filter { $0.waitingCount > 0 }.map {
      Finding(
        name: "lines", isWell: false,
        text: "\($0.waitingCount) lines of \($0.name ?? $0.device) wait for others that haven't come yet")
    }
  }

  /// The copies of the file that an engine made, or may have made.
  fileprivate static func copies(waiting: [String], unclear: [String]) -> [Finding] {
    waiting.map {
      Finding(
        name: "copies", isWell: false,
        text:
          "'\($0)' is a copy that an engine made of the file, and isn't taken in yet; 'replicate devices' tells why it can't be"
      )
    }
      + unclear.map {
        Finding(
          name: "copies", isWell: true,
          text: "'\($0)' may be a copy that an engine made of the file, or somebody's own, and is left alone")
      }
  }
}

/// One thing that a place allows or doesn't, and what follows.
struct Finding: Equatable, Sendable {
  var name: String
  var isWell: Bool
  var text: String
}

extension Finding {
  /// Whether a save means the same to this command, whose policy is given, and to all instances.
  init(externalEdits policy: ExternalEditPolicy, of instances: [InstanceEntry]) {
    let isWell = instances.allSatisfy { $0.externalEdits == policy }
    let policies = instances.map { "\($0.name): \($0.externalEdits.name)" } + ["this command: \(policy.name)"]
    self.init(
      name: "external-edits", isWell: isWell,
      text: isWell
        ? "a save made from an older version \(policy == .merge ? "is merged with" : "replaces") what came since"
        : "whoever comes first decides what a save made from an older version means, and they differ: "
          + policies.joined(separator: "; "))
  }
}

extension PlaceReport {
  /// What the place allows, the weightiest first; what could not be tried is left out.
  var findings: [Finding] {
    var findings = [
      Finding(
        name: "write", isWell: unusableBecause == nil,
        text: unusableBecause.map { "the file can't be written: \($0)" } ?? "the file can be written")
    ]
    if let reason = inPlaceBecause {
      findings.append(
        Finding(
          name: "replace", isWell: false,
          text: "the file is written in place, since nothing can take its place here (\(reason.reason)); "
            + "an editor that saves in the same instant can lose"))
    } else {
      findings += [
        Finding(name: "replace", isWell: true, text: "the file is replaced in one step"),
        Finding(
          name: "names", isWell: otherNames == 0,
          text: otherNames == 0
            ? "no other name of the file is left behind at a change"
            : "the file has another name, a hard link, which keeps the old contents from the next change on"),
        Finding(
          name: "exchange", isWell: canExchange,
          text: canExchange
            ? "two files can swap names, so no save is overwritten unseen"
            : "files can't swap names here, so the file is missing for an instant at each change"),
        Finding(
          name: "leases", isWell: hasLeases,
          text: hasLeases
            ? "the kernel tells whether somebody is still writing"
            : "the kernel doesn't tell whether somebody is still writing, so saves are believed after a moment of quiet"
        ),
        Finding(
          name: "readers", isWell: true,
          text: notesReaders
            ? "reading is noted, so a save is made from a version that somebody has read, or stands as it is"
            : "reading isn't noted here, so which version a save was made from is told by likeness alone"),
        Finding(
          name: "attributes", isWell: hasAttributes,
          text: hasAttributes
            ? "what instances write is stamped, so they know each other's work"
            : "no extended attributes here, so the work of other instances looks like an edit"),
      ]
    }
    return findings + [
      lock,
      Finding(
        name: "watch", isWell: blindness == nil,
        text: blindness.map { "changes are noticed by polling, a quarter of a second late: \($0)" }
          ?? "changes are announced"),
      Finding(
        name: "durability", isWell: true,
        text: "a power cut costs at most about a second of changes; none with --durability power"),
    ]
  }

  private var lock: Finding {
    let place =
      canLockFolder ? "the folder can be locked" : "the folder can't be locked, so a lock file stands beside the file"
    guard fileSystem.locksMayStayHere else { return Finding(name: "lock", isWell: canLockFolder, text: place) }
    return Finding(
      name: "lock", isWell: false,
      text:
        "\(place), but that may not reach other machines that have it mounted (\(fileSystem)), so what two of them do at once "
        + "can be lost; keep a file outside of it on each, and share that with 'replicate share FILE FOLDER'")
  }

  func json(file: String, findings: [Finding]) -> JSONValue {
    let findings = findings.map { finding -> JSONValue in
      ["name": .string(finding.name), "ok": .bool(finding.isWell), "text": .string(finding.text)]
    }
    return ["file": .string(file), "fileSystem": .string("\(fileSystem)"), "findings": .array(findings)]
  }
}
