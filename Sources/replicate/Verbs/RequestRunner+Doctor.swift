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
      try console.print(report.json(file: request.file, findings: findings))
    } else {
      for finding in findings {
        let label = finding.isWell ? "ok      " : finding.name == "write" ? "unusable" : "degraded"
        try console.print(console.output.shown("\(label)  \(finding.text)") + "\n")
      }
    }
    return verdict
  }

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
      let others = device.company
      let company = others.isEmpty ? "nobody yet" : others.joined(separator: ", ")
      let sharing = Finding(
        "sharing", isWell: true, "shared as \(agreement.name) with \(company), through '\(agreement.folder)'")
      // What other devices have said, and doesn't count yet.
      let lines = device.standings.filter { $0.waitingCount > 0 }.map {
        Finding(
          "lines", isWell: false, "\($0.waitingCount) lines of \($0.title) wait for others that haven't come yet")
      }
      let copies = session.waitingCopies.map {
        Finding(
          "copies", isWell: false,
          "'\($0)' is a copy that an engine made of the file, and isn't taken in yet; 'replicate devices' tells why it can't be"
        )
      }
      return [sharing] + lines + copies
        + session.unclearCopies.map { Finding("copies", isWell: true, Self.sentence(ofUnclear: $0)) }
    } catch {
      return [Finding("sharing", isWell: false, error.message)]
    }
  }
}

/// One thing that a place allows or doesn't, and what follows.
struct Finding: Sendable {
  let name: String
  let isWell: Bool
  let text: String

  init(_ name: String, isWell: Bool, _ text: String) { (self.name, self.isWell, self.text) = (name, isWell, text) }

  /// Either that all is well, or else what isn't.
  init(_ name: String, isWell: Bool, _ text: String, else complaint: String) {
    self.init(name, isWell: isWell, isWell ? text : complaint)
  }

  /// Whether a save means the same to this command, whose policy is given, and to all instances.
  init(externalEdits policy: ExternalEditPolicy, of instances: [InstanceEntry]) {
    let isWell = instances.allSatisfy { $0.externalEdits == policy }
    let policies = instances.map { "\($0.name): \($0.externalEdits.name)" } + ["this command: \(policy.name)"]
    self.init(
      "external-edits", isWell: isWell,
      "a save made from an older version \(policy == .merge ? "is merged with" : "replaces") what came since",
      else: "whoever comes first decides what a save made from an older version means, and they differ: "
        + policies.joined(separator: "; "))
  }
}

extension PlaceReport {
  /// What the place allows, the weightiest first; what could not be tried is left out.
  var findings: [Finding] {
    var findings = [
      Finding(
        "write", isWell: unusableBecause == nil,
        unusableBecause.map { "the file can't be written: \($0)" } ?? "the file can be written")
    ]
    if let reason = inPlaceBecause {
      findings.append(
        Finding(
          "replace", isWell: false,
          "the file is written in place, since nothing can take its place here (\(reason.reason)); "
            + "an editor that saves in the same instant can lose"))
    } else {
      findings += [
        Finding("replace", isWell: true, "the file is replaced in one step"),
        Finding(
          "names", isWell: otherNames == 0, "no other name of the file is left behind at a change",
          else: "the file has another name, a hard link, which keeps the old contents from the next change on"),
        Finding(
          "exchange", isWell: canExchange, "two files can swap names, so no save is overwritten unseen",
          else: "files can't swap names here, so the file is missing for an instant at each change"),
        Finding(
          "leases", isWell: hasLeases, "the kernel tells whether somebody is still writing",
          else:
            "the kernel doesn't tell whether somebody is still writing, so saves are believed after a moment of quiet"),
        Finding(
          "readers", isWell: true,
          notesReaders
            ? "reading is noted, so a save is made from a version that somebody has read, or stands as it is"
            : "reading isn't noted here, so which version a save was made from is told by likeness alone"),
        Finding(
          "attributes", isWell: hasAttributes, "what instances write is stamped, so they know each other's work",
          else: "no extended attributes here, so the work of other instances looks like an edit"),
      ]
    }
    return findings + [
      lock,
      Finding(
        "watch", isWell: blindness == nil,
        blindness.map { "changes are noticed by polling, a quarter of a second late: \($0)" }
          ?? "changes are announced"),
      Finding(
        "durability", isWell: true, "a power cut costs at most about a second of changes; none with --durability power"),
    ]
  }

  private var lock: Finding {
    let place =
      canLockFolder ? "the folder can be locked" : "the folder can't be locked, so a lock file stands beside the file"
    guard fileSystem.locksMayStayHere else { return Finding("lock", isWell: canLockFolder, place) }
    return Finding(
      "lock", isWell: false,
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
