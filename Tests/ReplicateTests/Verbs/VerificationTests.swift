import HotReload
import StateJSON
import Testing

@testable import replicate

@Suite struct VerificationTests {
  private static let hash = String(repeating: "a", count: 64)
  private static let other = String(repeating: "b", count: 64)

  private static func verification(
    file: Result<String, Failure> = .success(hash), _ answers: InstanceAnswer?...
  ) -> Verification {
    Verification(
      file: file,
      reports: answers.map { InstanceRollCall.Report(entry: InstanceEntry(instance: "me", of: "/f"), answer: $0) })
  }

  private static func answer(
    _ hash: String? = hash, uncommitted: Int = 0, isCommitted: Bool = true, problem: String? = nil
  ) -> InstanceAnswer {
    InstanceAnswer(hash: hash, uncommitted: uncommitted, isCommitted: isCommitted, problem: problem)
  }

  @Test(
    arguments: [
      (answer(), nil),
      (answer(other), ": differs"),
      (answer(nil, isCommitted: false), ": has not read the file; has something left to write"),
      (answer(nil), ": has not read the file"),
      (answer(uncommitted: 1, isCommitted: false), ": 1 action is not in the file"),
      (answer(uncommitted: 2, isCommitted: false, problem: "disk full"), ": 2 actions are not in the file; disk full"),
      (answer(isCommitted: false), ": has something left to write"),
      (answer(other, problem: "f:1:1: expected"), ": differs; f:1:1: expected"),
      (nil, ": does not answer"),
    ] as [(InstanceAnswer?, String?)])
  func `an instance agrees if it has the same, and nothing left to write`(answer: InstanceAnswer?, trouble: String?) {
    let verification = Self.verification(answer)
    #expect(verification.isAgreement == (trouble == nil))
    #expect(verification.lines[1].hasSuffix(trouble ?? ")"))
    let message = "the instance does not agree with the file"
    #expect(verification.failure == (trouble == nil ? nil : Failure(.no, message)))
    #expect(verification.json(path: "f")[JSONPointer(["instances", "0", "agrees"])] == .bool(trouble == nil))
  }

  @Test func `a file without instances agrees with itself`() {
    #expect(Self.verification().isAgreement)
    #expect(Self.verification().lines == ["\(Self.hash)  file"])
  }

  @Test func `nobody agrees with a file that is not JSON`() {
    let failure = Failure(.invalid, "expected a value", place: Failure.Place(source: "f", line: 1, column: 2))
    let verification = Self.verification(file: .failure(failure), Self.answer())
    #expect(!verification.isAgreement)
    #expect(verification.failure == failure)
    #expect(verification.lines[0] == "-" + String(repeating: " ", count: 63) + "  file: expected a value")
    #expect(verification.lines[1].hasSuffix(": has nothing to be compared with"))
    #expect(verification.json(path: "f")[JSONPointer(["problem"])] == "f:1:2: expected a value")
  }
}
