/// Settles with other instances of the file which of them performs an effect.
///
/// A claim is granted when its lock is held and the file has been looked at since: whoever had it before had committed
/// the outcome before letting go. For the same reason a claim of this instance is locked before the action that led to it
/// is written, where others can see it, and unlocked after what was dispatched until it was let go of is in the file.
extension Driver {
  /// The claims of this instance, and the wait for one of another.
  struct Claims {
    /// Those of this instance, in order.
    var held: [HeldClaim] = []
    /// The one of those that others have which is waited for.
    var wait: (held: HeldClaim, waiter: ClaimWaiter)?
    /// Whether what killed instances had claimed was looked after.
    var haveBegun = false
  }

  /// A claim of this instance, and how far it has come.
  final class HeldClaim {
    enum Stage: Equatable {
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

    init(_ claim: Claim, _ stage: Stage) { (self.claim, self.stage) = (claim, stage) }
  }

  /// Takes in what was claimed and let go of.
  ///
  /// - Parameter isInCommit: Whether the file has just been read under its lock, to be written.
  func takeClaims(isInCommit: Bool = false) {
    for request in view.claims?.take() ?? [] {
      switch request {
      case .claim(let claim):
        claims.held.append(HeldClaim(claim, ask(for: claim, isInCommit: isInCommit)))
      case .release(let claim):
        guard let held = claims.held.first(where: { $0.claim === claim }) else { continue }
        switch held.stage {
        case .refused, .waiting:
          if claims.wait?.held === held { stopWaiting() }
          claims.held.removeAll { $0 === held }
        case .locked, .granted, .leaving: held.stage = .leaving(progress.drained + view.submittedCount)
        }
      }
    }
    handOver()
  }

  /// What this instance lets go of, it may have again at once: what it did by then comes before in the file in any case,
  /// however long that takes.
  private func handOver() {
    var left: [String: Claim] = [:]
    for held in claims.held { if case .leaving = held.stage { left[held.claim.name] = held.claim } }
    for held in claims.held where held.stage == .waiting {
      guard let lock = left[held.claim.name]?.takeLock() else { continue }
      if claims.wait?.held === held { stopWaiting() }
      held.claim.keep(lock)
      held.stage = .locked(isInCommit: false)
    }
  }

  /// Grants what can be granted, and gives back what is over.
  func tendClaims() {
    takeClaims()
    takeWaitedFor()
    if claims.held.isEmpty { return }
    if claims.held.contains(where: { $0.stage == .locked(isInCommit: false) }) {
      look()
      for held in claims.held { if case .locked = held.stage { held.stage = .locked(isInCommit: true) } }
    }
    grantClaims()
    claims.held.removeAll { held in
      guard case .leaving(let target) = held.stage, progress.acknowledged >= target else { return false }
      held.claim.release()
      return true
    }
    waitForClaim()
  }

  /// Asks again for those whose lock could not be asked for, and for those that others have: only one is waited for at a time.
  func retryClaims() {
    for held in claims.held where held.stage == .refused || held.stage == .waiting {
      if claims.wait?.held !== held { held.stage = ask(for: held.claim, isInCommit: false) }
    }
  }

  // MARK: Wait

  /// Waits for one claim that another instance has, on a thread, and so in the kernel's queue; then for the next. Of an
  /// owner who dies, all come in turn; those that others have come when they are asked for again.
  private func waitForClaim() {
    guard claims.wait == nil, let held = claims.held.first(where: { $0.stage == .waiting }) else { return }
    do throws(SystemError) {
      let name = ClaimLock.name(held.claim.name, of: file.resolvedPath)
      let waiter = try ClaimWaiter(for: name, in: StateFolder.open(options.stateFolder), client: waker)
      claims.wait = (held, waiter)
    } catch {
      held.stage = refuse(held.claim, error)
    }
  }

  /// Takes in what came of the wait. Who doesn't want it any more has stopped waiting.
  private func takeWaitedFor() {
    guard let (held, waiter) = claims.wait, let outcome = waiter.takeOutcome() else { return }
    claims.wait = nil
    switch outcome {
    case .success(let lock):
      held.claim.keep(lock)
      held.stage = .locked(isInCommit: false)
    case .failure(let error): held.stage = refuse(held.claim, error)
    }
  }

  private func stopWaiting() {
    claims.wait?.waiter.cancel()
    claims.wait = nil
  }

  /// The driver ends. What is held still lasts until the store lets go of it.
  func endClaims() {
    takeClaims()
    for held in claims.held { if case .leaving = held.stage { held.claim.release() } }
    stopWaiting()
    claims.held = []
    view.claims?.end()
  }

  // MARK: Ask

  private func grantClaims() {
    // While the file can't be read there is nothing to catch up with.
    guard replica.isCurrent || replica.obstacle != nil else { return }
    for held in claims.held where held.stage == .locked(isInCommit: true) {
      held.stage = .granted
      held.claim.granted()
    }
  }

  private func ask(for claim: Claim, isInCommit: Bool) -> HeldClaim.Stage {
    do throws(SystemError) {
      let folder = try StateFolder.open(options.stateFolder)
      if !claims.haveBegun { try ClaimLock.removeLeftovers(in: folder) }
      claims.haveBegun = true
      let name = ClaimLock.name(claim.name, of: file.resolvedPath)
      weaknesses.failures[.claiming] = nil
      guard let lock = try ClaimLock.take(name, in: folder, waits: false) else { return .waiting }
      claim.keep(lock)
      return .locked(isInCommit: isInCommit)
    } catch {
      return refuse(claim, error)
    }
  }

  /// Where nothing can be settled, an effect is performed where it was started, and nowhere else.
  private func refuse(_ claim: Claim, _ error: SystemError) -> HeldClaim.Stage {
    weaknesses.failures[.claiming] = error
    reportWeaknesses()
    return claim.isOrigin ? .locked(isInCommit: true) : .refused
  }
}
