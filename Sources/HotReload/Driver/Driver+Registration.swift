/// Whoever asks the instances of a file how they are asks this one too.
extension Driver {
  /// Enters this instance in the registry, or enters it anew where the path has come to mean another file.
  func register() {
    let place = file.resolvedPath
    guard staysJoined, registration?.file != place else { return }
    unregister()
    // Who can't use the state folder can't verify either, and is told so then.
    guard let registry = try? InstanceRegistry(stateFolder: options.stateFolder) else { return }
    do throws(SystemError) {
      registration = try InstanceRegistration(
        instance: options.replica.instance, of: place, externalEdits: options.replica.externalEdits, in: registry)
      registrationFailure = nil
    } catch {
      registrationFailure = error
    }
    reportWeaknesses()
  }

  func unregister() {
    registration?.end()
    registration = nil
  }

  /// Answers those who have asked.
  func answerQuestions() {
    registration?.answer {
      let answer = InstanceAnswer(
        uncommitted: replica.pendingCount + view.submittedCount, isCommitted: isCommitted,
        problem: replica.obstacle.map { "\($0)" })
      return (answer, replica.document)
    }
  }
}
