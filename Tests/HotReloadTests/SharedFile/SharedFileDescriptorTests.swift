import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// A process that has used up its file descriptors at the worst moment.
@Suite(.ownThreads) struct SharedFileDescriptorTests {
  static let steps: [Step] = [
    .beforePreparation, .beforeCreation, .beforeAttributes, .beforeExchange, .afterExchange, .whileMissing,
    .beforeWriteInPlace,
  ]
  static let ways = [
    Capabilities(), Capabilities(exchange: false), Capabilities(exchange: false, noReplace: false),
    Capabilities(replacementError: EBUSY),
  ]

  /// Sets how many descriptors this process may have. The corresponding C function is `setrlimit`.
  static func limit(to count: rlim_t) {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    limits.rlim_cur = min(count, limits.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
  }

  @Test func `without descriptors a commit tells the truth, and no save is lost`() async {
    await #expect(processExitsWith: .success) {
      for way in Self.ways {
        for step in Self.steps {
          for isRacing in [false, true] { try Self.commit(way, step, isRacing) }
        }
      }
    }
  }

  @Test func `a swap that can't be looked at stands, as others may have built on it, and what it displaced comes late`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.write("base", to: "x")
      let file = try SharedFile(path: folder.path("x"), instance: "me", stateFolder: folder.path("state"))
      try file.locked {
        let base = try file.contentsNow()
        file.onStep = {
          if $0 == .beforeExchange { try? folder.save("foreign", to: "x") }
          if $0 == .afterExchange { Self.limit(to: 0) }
        }
        let result = Result { try file.replace("new", base) }
        file.onStep = { _ in }
        Self.limit(to: .max)
        if case .success(.replaced) = result {} else { Issue.record("\(result)") }
        #expect(try folder.text(of: "x") == "new")
        var late = try file.retireDisplaced()
        late += try file.recover()
        #expect(late.map(\.text) == ["foreign"])
      }
    }
  }

  static func commit(_ way: Capabilities, _ step: Step, _ isRacing: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("base", to: "x")
    let file = try SharedFile(
      path: folder.path("x"), instance: "me", stateFolder: folder.path("state"), capabilities: way)
    let comment: Comment = "\(way) \(step) \(isRacing)"
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = {
        if $0 == .beforeExchange, isRacing { try? folder.save("foreign", to: "x") }
        if $0 == step { limit(to: 0) }
      }
      let result = Result { try file.replace("new", base) }
      file.onStep = { _ in }
      var seen: [String] = []
      // Still without descriptors, if the step was passed.
      for late in (try? file.retireDisplaced()) ?? [] {
        seen.append(late.text)
        try? file.ingested(late)
      }
      _ = try? file.recover()
      _ = file.needsRecovery
      limit(to: .max)
      // What never stood at the path is removed, which takes no descriptor.
      if step == .beforeAttributes { #expect(try folder.names.filter { $0.hasSuffix(".tmp") } == [], comment) }

      for save in try file.recover() {
        seen.append(save.text)
        try file.ingested(save)
      }
      #expect(file.unrecovered.map(\.name) == [], comment)
      let standing = try folder.text(of: "x")
      switch result {
      case .success(.replaced): #expect(standing == "new", comment)
      case .success(.displaced(let foreign, _)):
        #expect(standing == "new", comment)
        seen.append(foreign.text)
        try file.ingested(foreign)
      case .success(.changed), .success(.missing), .failure: #expect(standing != "new", comment)
      }
      seen.append(standing)
      let isTooSoon = [.beforePreparation, .beforeCreation, .beforeAttributes].contains(step)
      #expect(seen.contains("foreign") || !isRacing || isTooSoon, comment)
      try file.closeQuietly()
      #expect(try folder.names.filter { $0 != "state" } == ["x"], comment)
    }
  }
}
