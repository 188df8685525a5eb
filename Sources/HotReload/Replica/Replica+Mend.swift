import StateJSON

/// An invalid file is mended by a valid save that came later, also where that was made into a file already displaced.
extension Replica {
  func mayMend(_ late: LateSave) -> Bool {
    guard let document = try? options.parse(late.save.bytes) else { return false }
    return (try? model.decode(document, onto: baseState)) != nil
  }

  /// The late save that is to stand in the place of contents that are not valid JSON.
  ///
  /// Contents that are newer wait for a save of their own, and what only this instance can't read is none of its concern.
  func lateSave(for contents: Contents, _ problem: Problem) -> LateSave? {
    guard problem.code == .invalidJSON else { return nil }
    return outbox.lateSaves.last { $0.save.status.modified >= contents.status.modified && mayMend($0) }
  }

  /// Takes a late save for what was read; the contents that it mends are kept elsewhere.
  mutating func mend(_ contents: Contents, with late: LateSave, _ problem: Problem) -> [Instruction] {
    outbox.lateSaves.removeAll { $0.save.identity == late.save.identity && $0.save.hash == late.save.hash }
    presence.unsettled = Unsettled(hash: late.save.hash, status: late.save.status, age: ReplicaOptions.patience)
    switch adopt(late.save) {
    case .same, .adopted:
      commit.mending = late
      taken.append(late.save)
      return [.rescue(contents, problem)]
        + underLock(.reviewing(.displaced(late.save, now: contents)), .recall(unless: .none))
    case .refused, .waits:
      preconditionFailure("what can be decoded is adopted")
    }
  }

  /// The save did not come to stand in the file: it is late again.
  mutating func giveUpMending() {
    guard let late = commit.mending else { return }
    commit.mending = nil
    taken.removeAll { $0.identity == late.save.identity }
    outbox.lateSaves.append(late)
  }

  /// Takes in what was set aside while an invalid save was put back, in favour of what stands in the file.
  mutating func takeIn(setAside: [Contents], over write: Write, _ problem: Problem, yielding yields: Bool)
    -> [Instruction]
  {
    var instructions: [Instruction] = []
    for save in setAside {
      // Its writer is still at it: it comes again when it is whole, or has been quiet for long enough.
      if !save.settled {
        instructions.append(.expectMore(save))
        continue
      }
      let late = LateSave(save: save, base: write.hash.description, yields: yields)
      if mayMend(late) { outbox.lateSaves.append(late) } else { instructions.append(.rescue(save, problem)) }
    }
    return instructions
  }
}
