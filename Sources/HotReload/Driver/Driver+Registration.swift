/// Whoever asks the instances of a file how they are asks this one too.
extension Driver {
  /// How others find this instance.
  struct Membership {
    /// Whether this is an instance that others can ask.
    var stays = false
    var registration: InstanceRegistration?
    /// Whether somebody may have asked how it is.
    var isAsked = false
  }

  /// Enters this instance in the registry, or enters it anew where the path has come to mean another file.
  func register() {
    let place = file.resolvedPath
    guard membership.stays, membership.registration?.file != place else { return }
    unregister()
    // Who can't use the state folder can't verify either, and is told so then.
    guard let registry = try? InstanceRegistry(stateFolder: options.stateFolder) else { return }
    noteFailure(of: .registering) { () throws(SystemError) in
      membership.registration = try InstanceRegistration(
        instance: options.replica.instance, of: place, externalEdits: options.replica.externalEdits, in: registry)
    }
    reportWeaknesses()
  }

  func unregister() {
    membership.registration?.end()
    membership.registration = nil
  }

  /// Answers those who have asked.
  func answerQuestions() {
    membership.registration?.answer {
      let answer = InstanceAnswer(
        uncommitted: replica.pendingCount + view.submittedCount, isCommitted: isCommitted,
        problem: replica.obstacle.map { "\($0)" })
      return (answer, replica.document)
    }
  }
}
