import TestSupport
import Testing

@testable import StateJSON

@Suite struct JSONNumberTests {
  private func number(_ literal: String) throws -> JSONNumber { try #require(JSONNumber(literal)) }

  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "1.0", "0.10", "1e1", "1E+1", "1e-01", "-12.50e+300", "1e999999999999999999999",
  ])
  func `literals of the grammar are numbers`(literal: String) throws {
    #expect(try number(literal).literal == literal)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ", "1,5", "1_0",
    "١",
  ])
  func `other literals are not`(literal: String) {
    #expect(JSONNumber(literal) == nil)
  }

  @Test(arguments: [
    ["0", "-0", "0.0", "0e5", "-0e-5", "0e9999999999", "0.000E+999999999999999999999999"],
    ["1", "1.0", "10e-1", "0.1e1", "1e0", "1e-0", "1e00", "100000000000000000000e-20", "0.00000000000000000001e20"],
    ["-1.5", "-1.50", "-15e-1", "-0.15E+1"],
    ["1e1000", "10e999", "0.1e1001"],
    ["1e99999999999999999", "0.1e100000000000000000", "10e99999999999999998"],
    ["1e999999999999999999", "10e999999999999999998", "0.1e1000000000000000000", "0.01e1000000000000000001"],
    ["1e-999999999999999999", "10e-1000000000000000000", "0.1e-999999999999999998"],
    [
      "1e1000000000000000000000", "10e999999999999999999999", "100e999999999999999999998", "0.1e1000000000000000000001",
    ],
    ["1e-1000000000000000000000", "10e-1000000000000000000001", "0.1e-999999999999999999999"],
  ])
  func `equal values have equal hashes, whatever their literals`(literals: [String]) throws {
    for left in literals {
      for right in literals {
        let (left, right) = (try number(left), try number(right))
        #expect(left == right, "\(left) and \(right)")
        #expect(left.hashValue == right.hashValue, "\(left) and \(right)")
        #expect(!(left < right), "\(left) and \(right)")
      }
    }
  }

  @Test func `numbers are ordered by value`() throws {
    let ascending = [
      "-1e999999999999999999999", "-1e999999999999999999998", "-1e19", "-10", "-9.99", "-1", "-0.1", "-1e-5",
      "-1e-999999999999999999999", "0",
      "1e-9999999999999999999999", "1e-999999999999999999999", "1e-999999999999999999", "1e-999999999999999998",
      "0.001", "0.01", "0.1", "0.10000000000000000001", "0.2", "1", "1.5", "2", "10", "11", "100",
      "9007199254740992", "9007199254740993", "9007199254740993.000000000001", "1e400", "1.1e400", "2e400",
      "1e999999999999999998", "1e999999999999999999", "1e999999999999999999998", "1e999999999999999999999",
      "2e999999999999999999999", "1e1000000000000000000000",
    ]
    for (leftIndex, left) in ascending.enumerated() {
      for (rightIndex, right) in ascending.enumerated() {
        let (left, right) = (try number(left), try number(right))
        #expect((left < right) == (leftIndex < rightIndex), "\(left) < \(right)")
        #expect((left == right) == (leftIndex == rightIndex), "\(left) == \(right)")
      }
    }
  }

  @Test func `a long literal is compared in linear time`() throws {
    func time(count: Int) throws -> Duration {
      let digits = String(repeating: "7", count: count)
      return try processorTime { () throws in
        #expect(try number(digits + ".0") == number(digits))
        #expect(try number("1e" + digits) != number("1e" + digits + "0"))
        #expect(try number("10e" + digits) == number("1e" + digits.dropLast() + "8"))
      }
    }
    // The shortest of some: the machine may stand still for a moment.
    func shortest(count: Int) throws -> Duration { try (0..<5).map { _ in try time(count: count) }.min() ?? .zero }
    let (short, long) = try (shortest(count: 2_000), shortest(count: 20_000))
    #expect(long < short * 30)
  }

  @Test(arguments: [
    ("0.1", "0.2", "0.3"), ("1.50", "1", "2.50"), ("1e3", "1", "1001"), ("1", "-1", "0"), ("-1", "1", "0"),
    ("-0", "0", "0"), ("-0.0", "0", "0.0"),
    ("1", "-0.9", "0.1"), ("0.9", "-1", "-0.1"), ("-5", "-7", "-12"), ("99", "1", "100"), ("-100", "1", "-99"),
    ("1.05", "-1.05", "0.00"), ("1e-3", "1", "1.001"),
    ("9007199254740993", "1", "9007199254740994"),
    ("123456789012345678901234567890", "1", "123456789012345678901234567891"), ("1.5e1", "0", "15"),
    ("0e5", "7", "7"), ("0e9999999999999999999999", "7", "7"), ("0.00e1", "1", "1.0"), ("1e1", "1e-1", "10.1"),
    ("100", "-1", "99"), ("1000", "-999.5", "0.5"), ("2.5E-2", "2.5e-2", "0.050"),
  ])
  func `sums are exact and keep the finer scale`(left: String, right: String, sum: String) throws {
    #expect(try number(left).adding(number(right)).literal == sum)
    #expect(try number(right).adding(number(left)).literal == sum)
  }

  @Test func `sums agree with integer arithmetic`() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (left, right) = (random.below(2_000_001) - 1_000_000, random.below(2_001) - 1_000)
      let scale = random.below(4)
      let leftNumber = try number("\(left)e-\(scale)")
      let rightNumber = try number("\(right)e-\(scale)")
      #expect(try leftNumber.adding(rightNumber) == number("\(left + right)e-\(scale)"), "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("1e1000", "1"), ("1", "1e-1000"), ("1e999999999999999999999", "1"), ("0e-9999999999999999999999", "1"),
    ("1e999", "9e999"),
  ])
  func `a sum too long to write is an error`(left: String, right: String) throws {
    let thrown = try #require(throws: JSONNumber.SumTooLongError.self) { try number(left).adding(number(right)) }
    #expect(thrown.description == "the sum of \(left) and \(right) has more than 1000 digits")
  }

  @Test func `a sum of a thousand digits is none`() throws {
    let sum = try number("1e999").adding(number("1"))
    #expect(sum.literal == "1" + String(repeating: "0", count: 998) + "1")
  }

  @Test func `numbers are made from Swift's`() throws {
    #expect(JSONNumber(42).literal == "42")
    #expect(JSONNumber(UInt64.max).literal == "18446744073709551615")
    let doubles: [(Double, String)] = [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e16, "1e+16"), (1e300, "1e+300"),
      (.leastNonzeroMagnitude, "5e-324"), (123456789, "123456789"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    ]
    for (double, literal) in doubles {
      let number = try #require(JSONNumber(double))
      #expect(number.literal == literal)
      #expect(JSONNumber(number.literal) != nil)
      #expect(number.doubleValue == double)
    }
    #expect(JSONNumber(Float(0.1))?.literal == "0.1")
    for value in [Double.nan, .infinity, -.infinity] { #expect(JSONNumber(value) == nil) }
  }

  @Test func `every finite Double survives`() throws {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let double = Double(bitPattern: random.next())
      guard double.isFinite else { continue }
      let number = try #require(JSONNumber(double))
      #expect(JSONNumber(number.literal) != nil, "\(number) is not in the grammar")
      #expect(number.doubleValue.bitPattern == double.bitPattern, "seed \(seed)")
    }
  }

  @Test func `integers convert only where they are exact`() throws {
    let table: [(String, Int?)] = [
      ("1", 1), ("1.0", 1), ("1e2", 100), ("1.50e1", 15), ("-0", 0), ("0.0e7", 0), ("1.5", nil), ("1e-1", nil),
      ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
      ("-9223372036854775808.000", .min), ("1e999999999999999999999", nil), ("1e18", 1_000_000_000_000_000_000),
      ("1e19", nil), ("10e-1", 1), ("1e-999999999999999999999", nil),
    ]
    for (literal, expected) in table { #expect(try number(literal).exactly(Int.self) == expected, "\(literal)") }
    #expect(try number("300").exactly(UInt8.self) == nil)
    #expect(try number("2.55e2").exactly(UInt8.self) == 255)
    #expect(try number("-128").exactly(Int8.self) == -128)
    #expect(try number("-1.0").exactly(UInt.self) == nil)
    #expect(try number("-0").exactly(UInt.self) == 0)
    #expect(try number("1e38").exactly(UInt128.self) == 100_000_000_000_000_000_000_000_000_000_000_000_000)
  }

  @Test func `doubles are the nearest`() throws {
    #expect(try number("1e400").doubleValue == .infinity)
    #expect(try number("-1e400").doubleValue == -.infinity)
    #expect(try number("1e-400").doubleValue == 0)
    #expect(try number("9007199254740993").doubleValue == 9007199254740992)
    #expect(try number("0.1").doubleValue == 0.1)
    #expect(try number("1e999999999999999999999").doubleValue == .infinity)
    #expect(try number("1e-999999999999999999999").doubleValue == 0)
    #expect(try number("0." + String(repeating: "3", count: 5_000)).doubleValue == 1.0 / 3)
    #expect(try number("1e400").floatValue == .infinity)
  }
}
