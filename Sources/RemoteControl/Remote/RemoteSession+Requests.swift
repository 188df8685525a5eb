import HotReload
import StateJSON
import StoreCore

extension RemoteSession {
  mutating func serve(_ request: RPCRequest<RemoteMethod<Action>>, for addressee: Addressee) {
    switch request.method {
    case .failure(let error):
      answer(addressee, .failure(error))
    case .success(.state(.get(let pointer))):
      if addressee.identifier != nil { answer(addressee, value(at: pointer)) }
    case .success(.dispatch(let action)):
      guard !store.isClosed else {
        return answer(addressee, .failure(.system("the store is closed; the action was not reduced")))
      }
      store.dispatch(action)
      commits.add(.init(addressee: addressee, isDispatch: true))
    case .success(.state(.flush)):
      commits.add(.init(addressee: addressee, isDispatch: false))
    case .success(.state(.watch(let pointer, let format))):
      answer(addressee, Result { () throws(RPCError) in try client.watches.add(pointer, format) })
      store.withState { _, _ in news.want(states: true) }
    case .success(.state(.unwatch(let pointer))):
      client.watches.remove(pointer)
      news.want(states: !client.watches.isEmpty)
      answer(addressee, .success([:]))
    case .success(.actions(let isOn)):
      store.withState { _, _ in news.want(actions: isOn) }
      answer(addressee, .success([:]))
    case .success(.state(.notices(let isOn))):
      want(notices: isOn)
      answer(addressee, .success([:]))
    case .success(.state(.info)):
      answer(
        addressee,
        .success(
          RPCResponse.info(
            name: program.name, version: program.version, instance: news.instance,
            methods: RemoteMethod<Action>.names)))
    }
  }

  /// Tells the client notices from now on, or no longer. Once it has asked for them, those that it doesn't want go to standard error.
  mutating func want(notices isOn: Bool) {
    notices.areTold = isOn
    guard isOn, notices.task == nil else { return }
    // Listens from now on, not only once the task runs.
    let stream = store.notices
    notices.task = Task { [news] in for await notice in stream { news.add { $0.notices.append(notice) } } }
  }

  /// The answer to `get`.
  private mutating func value(at pointer: JSONPointer) -> Result<JSONValue, RPCError> {
    let state: WatchedState
    do throws(JSONEncodingError) {
      state = try newestState()
    } catch {
      return .failure(.invalid("the state cannot be encoded: \(error)", path: "\(error.pointer)"))
    }
    do throws(JSONPointerError) {
      return .success(RPCResponse.value(try state.value.value(at: pointer), version: state.version))
    } catch {
      return .failure(.refused(error.message, path: error.pointer))
    }
  }

  /// The state as it is now, as a client is told it.
  mutating func newestState() throws(JSONEncodingError) -> WatchedState {
    let (state, version, cause) = store.withState { state, version in
      (version == newest?.version ? nil : copy state, version, news.cause)
    }
    if let state {
      newest = (
        version, Result { () throws(JSONEncodingError) in try JSONValue(encoding: redactions.redacted(state)) }
      )
    }
    guard let newest else { preconditionFailure("a state that wasn't encoded was not read") }
    return WatchedState(value: try newest.value.get(), version: "\(version)", cause: cause)
  }

  // MARK: Commits

  /// Starts to commit what waits for it.
  mutating func commit() {
    guard commits.start(isEnding: isEnding) else { return }
    Task { [store, news] in
      do {
        try await store.commit()
        news.add { $0.commit = .success(()) }
      } catch {
        news.add { $0.commit = .failure(error) }
      }
    }
  }

  /// Answers those whom a commit was for.
  mutating func finishCommit(_ outcome: Result<Void, any Error>) {
    let isClosed = store.isClosed
    let version = store.withState { _, version in "\(version)" }
    for waiter in commits.end(outcome) {
      switch outcome {
      case .failure(let error) where waiter.isDispatch:
        answer(waiter.addressee, .failure(.system("the action was reduced, but is not committed: \(error)")))
      case .failure(let error):
        answer(waiter.addressee, .failure(.system("\(error)")))
      case .success where waiter.isDispatch && isClosed:
        let reason = "the store was closed meanwhile; whether the action was reduced before is not known"
        answer(waiter.addressee, .failure(.system(reason)))
      case .success:
        answer(waiter.addressee, .success(waiter.isDispatch ? RPCResponse.committed(version) : [:]))
      }
    }
  }
}
