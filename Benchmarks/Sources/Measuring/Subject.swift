/// Something that is done many times, and whose cost is asked for.
public struct Subject {
  public let name: String
  /// How many are done in a row; nil is as many as fill a batch.
  let count: Int?
  let run: (_ count: Int) async -> Void

  /// Something that is over when it returns.
  public init(_ name: String, _ body: @escaping () -> Void) {
    self.name = name
    count = nil
    run = { count in for _ in 0..<count { body() } }
  }

  /// Something that goes on elsewhere, and is waited for once for all.
  ///
  /// - Parameters:
  ///   - name: What it is.
  ///   - count: How many are waited for at a time, where that makes a difference.
  ///   - body: Starts it.
  ///   - wait: Waits for so many.
  public init(
    _ name: String, count: Int? = nil, _ body: @escaping () -> Void, wait: @escaping (_ count: Int) async -> Void
  ) {
    self.name = name
    self.count = count
    run = { count in
      for _ in 0..<count { body() }
      await wait(count)
    }
  }
}

/// Subjects that belong together.
public struct Topic {
  public let name: String
  public let subjects: [Subject]

  public init(_ name: String, _ subjects: [Subject]) {
    self.name = name
    self.subjects = subjects
  }

  /// Those whose name has one of the texts in it; all, if there are none.
  public func only(_ texts: [String]) -> Topic {
    if texts.isEmpty { return self }
    return Topic(name, subjects.filter { subject in texts.contains { subject.name.contains($0) } })
  }
}
