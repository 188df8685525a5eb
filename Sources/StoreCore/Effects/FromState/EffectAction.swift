/// The actions on an ``EffectState``, so that an app has one case for all of them:
///
///     struct Feed: Sendable { var titles: [String] = []; var loading = EffectState() }
///     enum FeedAction: Sendable { case loading(EffectAction), loaded([String]) }
///
///     let store = Store(Feed()) { (feed: inout Feed, action: FeedAction) in
///       switch action {
///       case .loading(let action): feed.loading.apply(action)
///       case .loaded(let titles): feed.titles = titles
///       }
///     }
///     store.dispatch(.loading(.run))
///
/// The engine that performs the effect says of which attempt an outcome is. One of an attempt that is not on any more
/// changes nothing, in whatever instance and however late it is reduced. That holds for one effect state: one that is
/// made anew, as with an element that was removed and is added again, counts from the beginning.
public enum EffectAction: Sendable, Hashable, Codable {
  /// Starts a run, unless one is on.
  case run
  /// Starts a run, in the place of the one that is on.
  case restart
  /// Ends the run that is on; its task is cancelled.
  case cancel(of: EffectState.Attempt? = nil)
  /// Ends the run that is on, as it has succeeded.
  case succeed(of: EffectState.Attempt? = nil)
  /// Ends the run that is on, as it has failed, whatever attempts are left.
  case fail(with: String, of: EffectState.Attempt? = nil)
  /// The attempt failed: another is made after the backoff, if there are any left.
  case retryOrFail(with: String, of: EffectState.Attempt? = nil)
  /// Makes it as if it had never run.
  case reset

  /// The attempt it is about; nil for the one that is on.
  var attempt: EffectState.Attempt? {
    switch self {
    case .run, .restart, .reset: nil
    case .cancel(let attempt), .succeed(let attempt), .fail(_, let attempt), .retryOrFail(_, let attempt): attempt
    }
  }
}

extension EffectState {
  /// Reduces an action into this.
  public mutating func apply(_ action: EffectAction) {
    if let attempt = action.attempt, attempt != current { return }
    switch action {
    case .run: run()
    case .restart: restart()
    case .cancel: cancel()
    case .succeed: succeed()
    case .fail(let failure, _): fail(with: failure)
    case .retryOrFail(let failure, _): retryOrFail(with: failure)
    case .reset: reset()
    }
  }
}
