import StateJSON

/// What stands at the path after an invalid save was put back there.
struct Restoration: Hashable, Sendable {
  let now: Snapshot
  /// Saves that had to give way to later ones. Each is kept until `ingested` was called.
  let setAside: [Contents]
}

extension SharedFile {
  /// Puts a displaced save that is complete, but invalid, back to the path in place of what was written there.
  ///
  /// If somebody has saved again in the meantime, the later save stays, and the invalid one is set aside.
  ///
  /// Needs the lock.
  ///
  /// - Throws: When what stands at the path can't be read. What had to give way comes again, from `retireDisplaced`.
  func swapBack(_ invalid: Contents) throws(SystemError) -> Restoration {
    precondition(isLocked, "swapping back needs the lock")
    onStep(.beforeSwapBack)
    let setAside = putBack(invalid)
    do throws(SystemError) {
      return Restoration(now: try read(), setAside: setAside)
    } catch {
      // Nobody hears of it now.
      for file in displaced where setAside.contains(where: { $0.identity == file.identity }) {
        file.awaitsIngestion = false
      }
      throw error
    }
  }

  /// A file on its way to the path.
  struct Hand {
    let identity: FileIdentity
    /// None of what can't be read.
    var contents: Contents?
  }

  /// Puts a displaced save to the path, unless there is a newer one.
  ///
  /// - Returns: What had to give way to newer saves, and is kept.
  private func putBack(_ invalid: Contents) -> [Contents] {
    guard let kept = displaced.first(where: { $0.identity == invalid.identity }), kept.folder === folder else {
      return []
    }
    // What can't be examined is left as it is.
    guard capabilities.exchange, let former = SharedFileName(kept.name, prefix: prefix),
      let own = (try? folder.status(of: name))?.identity, own.inode == former.inode,
      let (beside, label) = try? renameToPutBack(kept.name, former)
    else { return [invalid] }
    kept.name = beside
    onStep(.duringSwapBack)
    let hand = Hand(identity: invalid.identity, contents: invalid)
    return putBack(beside, label, hand, in: (own, label.new), of: kept).setAside
  }

  /// Swaps what stands beside the path in for what an instance has put there (`own`), or for what is newer than that. Says whether it
  /// surely stands again in place of that, and not of anything newer; and what had to give way to newer saves, and is kept.
  ///
  /// Without a hash of its own, what was saved into it meanwhile is looked for later.
  func putBack(
    _ beside: String, _ label: SharedFileName, _ hand: Hand, in own: (identity: FileIdentity, hash: String?),
    of kept: Displaced? = nil
  ) -> (isBack: Bool, setAside: [Contents]) {
    var hand = hand
    // What is at the path; what could not be read has no hash.
    var expected = own
    var setAside: [Contents] = []
    // Each round puts the newest save in. Whatever comes out is either what was expected, or newer still.
    while true {
      if !exchange(beside, of: hand.identity) {
        if let kept, displaced.contains(where: { $0 === kept }) { return (false, [hand.contents].compactMap(\.self)) }
        keep(beside, believed: label.believed(of: hand.identity.inode), awaitsIngestion: hand.contents != nil)
        return (false, setAside + [hand.contents].compactMap(\.self))
      }
      if let kept {
        displaced.removeAll { $0 === kept }
        kept.descriptor.unlock()
      }
      onStep(.afterSwapBack)
      let believed = label.believed(of: expected.identity.inode)
      let isSetAside = setAside.contains { $0.identity == expected.identity }
      let isBack = expected.identity == own.identity
      let came: Hand
      do throws(SystemError) {
        let found = try Inspection(of: beside, in: self, patience: Inspection.patience)
        let contents = found.contents
        let isExpected = expected.hash.map { $0 == SharedFileName.short(contents.hash) }
        if isExpected ?? (contents.identity == expected.identity) {
          if expected.hash == label.new {
            retire(found)
          } else {
            keep(found, believed: believed, awaitsIngestion: isSetAside)
          }
          return (isBack, setAside)
        }
        came = Hand(identity: contents.identity, contents: contents)
      } catch {
        // The inodes tell whether it is newer. What is newer stays at the path, readable or not.
        let found = (try? folder.status(of: beside))?.identity
        guard let identity = found, identity != expected.identity else {
          keep(beside, believed: believed, awaitsIngestion: isSetAside)
          return (isBack && found != nil, setAside)
        }
        came = Hand(identity: identity)
      }
      if let contents = hand.contents { setAside.append(contents) }
      expected = (hand.identity, hand.contents.map { SharedFileName.short($0.hash) })
      hand = came
    }
  }

  /// Swaps the file that has a name beside the path with what stands at the path.
  ///
  /// - Returns: Whether it happened, which the inodes tell, not the error.
  private func exchange(_ beside: String, of identity: FileIdentity) -> Bool {
    do throws(SystemError) {
      try folder.exchange(beside, name)
      return true
    } catch {
      return (try? folder.status(of: beside))?.identity != identity
    }
  }

  /// Gives what was swapped out a name that holds whether it is put back to the path or not: under the one that it
  /// has, what was swapped in for it would count as never having stood there, although an editor may have saved into it.
  func renameToPutBack(
    _ name: String, _ label: SharedFileName
  ) throws(SystemError) -> (name: String, label: SharedFileName) {
    var label = label
    (label.role, label.attempt) = (.back, 0)
    return (try renameUnderLock(name, label), label)
  }
}
