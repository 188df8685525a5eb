/// Settles with other instances of the file which of them performs an effect.
///
/// A claim is granted when its lock is held and the file has been looked at since: whoever had it before had committed
/// the outcome before letting go. For the same reason a claim of this instance is locked before the action that led to it
/// is written, where others can see it, and unlocked after what was dispatched until it was let go of is in the file.
extension Driver {
  struct HeldClaim {
    enum Stage {
      /// Its lock could not be asked for.
      case refused
      /// Another instance has it.
      case waiting
      /// Locked; whether the file was read since.
      case locked(isInCommit: Bool)
      case granted
      /// Until so many actions are acknowledged.
      case leaving(Int)
    }

    let claim: Claim
    var stage: Stage
  }

  /// Takes in what was claimed and let go of.
  ///
  /// - Parameter isInCommit: Whether the file has just been read under its lock, to be written.
  func takeClaims(isInCommit: Bool = false) {
    for request in view.claims?.take() ?? [] {
      switch request {
      case .claim(let claim):
        claims.append(HeldClaim(claim: claim, stage: ask(for: claim, isInCommit: isInCommit)))
      case .release(let claim):
        guard let index = claims.firstIndex(where: { $0.claim === claim }) else { continue }
        switch claims[index].stage {
        case .refused: claims.remove(at: index)
        case .waiting:
          if claimWait?.claim === claim { stopWaiting() }
          claims.remove(at: index)
        case .locked, .granted, .leaving: claims[index].stage = .leaving(drained + view.submittedCount)
        }
      }
    }
    handOver()
  }

  /// What this instance lets go of, it may have again at once: what it did by then comes before in the file in any case,
  /// however long that takes.
  private func handOver() {
    var left: [String: Int] = [:]
    for (index, held) in claims.enumerated() {
      if case .leaving = held.stage { left[held.claim.name] = index }
    }
    if left.isEmpty { return }
    for index in claims.indices {
      guard case .waiting = claims[index].stage, let former = left[claims[index].claim.name],
        let lock = claims[former].claim.takeLock()
      else { continue }
      if claimWait?.claim === claims[index].claim { stopWaiting() }
      claims[index].claim.keep(lock)
      claims[index].stage = .locked(isInCommit: false)
    }
  }

  /// Grants what can be granted, and gives back what is over.
  func tendClaims() {
    takeClaims()
    takeWaitedFor()
    if claims.isEmpty { return }
    let isNews = claims.contains { if case .locked(isInCommit: false) = $0.stage { true } else { false } }
    if isNews {
      look()
      for index in claims.indices {
        if case .locked = claims[index].stage { claims[index].stage = .locked(isInCommit: true) }
      }
    }
    grantClaims()
    claims.removeAll { held in
      guard case .leaving(let target) = held.stage, acknowledged >= target else { return false }
      held.claim.release()
      return true
    }
    waitForClaim()
  }

  /// Asks again for those whose lock could not be asked for, and for those that others have: only one is waited for at a time.
  func retryClaims() {
    for index in claims.indices {
      switch claims[index].stage {
      case .refused, .waiting:
        if claimWait?.claim !== claims[index].claim {
          claims[index].stage = ask(for: claims[index].claim, isInCommit: false)
        }
      case .locked, .granted, .leaving: break
      }
    }
  }

  // MARK: Wait

  /// Waits for one claim that another instance has, on a thread, and so in the kernel's queue; then for the next. Of an
  /// owner who dies, all come in turn; those that others have come when they are asked for again.
  private func waitForClaim() {
    guard claimWait == nil,
      let index = claims.firstIndex(where: { if case .waiting = $0.stage { true } else { false } })
    else { return }
    let claim = claims[index].claim
    do throws(SystemError) {
      let name = ClaimLock.name(claim.name, of: file.resolvedPath)
      let waiter = try ClaimWaiter(for: name, in: StateFolder.open(options.stateFolder), client: waker)
      claimWait = (claim, waiter)
    } catch {
      claims[index].stage = refuse(claim, error)
    }
  }

  private func takeWaitedFor() {
    guard let (claim, waiter) = claimWait, let outcome = waiter.takeOutcome() else { return }
    claimWait = nil
    // Who doesn't want it any more has stopped waiting.
    guard let index = claims.firstIndex(where: { $0.claim === claim }) else { return }
    switch outcome {
    case .success(let lock):
      claim.keep(lock)
      claims[index].stage = .locked(isInCommit: false)
    case .failure(let error): claims[index].stage = refuse(claim, error)
    }
  }

  private func stopWaiting() {
    claimWait?.waiter.cancel()
    claimWait = nil
  }

  /// The driver ends. What is held still lasts until the store lets go of it.
  func endClaims() {
    takeClaims()
    for held in claims {
      switch held.stage {
      case .leaving: held.claim.release()
      case .refused, .waiting, .locked, .granted: break
      }
    }
    stopWaiting()
    claims = []
    view.claims?.end()
  }

  // MARK: Ask

  private func grantClaims() {
    // While the file can't be read there is nothing to catch up with.
    guard replica.isCurrent || replica.obstacle != nil else { return }
    for index in claims.indices {
      guard case .locked(isInCommit: true) = claims[index].stage else { continue }
      claims[index].stage = .granted
      claims[index].claim.granted()
    }
  }

  private func ask(for claim: Claim, isInCommit: Bool) -> HeldClaim.Stage {
    do throws(SystemError) {
      let folder = try StateFolder.open(options.stateFolder)
      if !hasClaimed { try ClaimLock.removeLeftovers(in: folder) }
      hasClaimed = true
      let name = ClaimLock.name(claim.name, of: file.resolvedPath)
      claimsFailure = nil
      if let lock = try ClaimLock.take(name, in: folder, waits: false) {
        claim.keep(lock)
        return .locked(isInCommit: isInCommit)
      }
      return .waiting
    } catch {
      return refuse(claim, error)
    }
  }

  /// Where nothing can be settled, an effect is performed where it was started, and nowhere else.
  private func refuse(_ claim: Claim, _ error: SystemError) -> HeldClaim.Stage {
    claimsFailure = error
    reportWeaknesses()
    return claim.isOrigin ? .locked(isInCommit: true) : .refused
  }
}
