#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#elseif canImport(Foundation)
  internal import Foundation
#endif

extension DecodingText {
  /// A value of a type, which decodes itself, unless a coder takes it over from its own `Codable` conformance: JSON values, which
  /// pass through untouched; those for which Foundation's `JSONDecoder` has a form of its own; and, since arrays ask for their
  /// elements as some `Decodable`, the commonest scalars.
  @inline(__always)
  func make<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    // Types are compared first, since that costs less than a cast that fails. And an optional of the type would be one whose
    // layout has to be looked up.
    if type == String.self { return same(try string(at: place)) }
    if type == Int.self { return same(try integer(Int.self, at: place)) }
    if type == Double.self { return same(try double(at: place)) }
    if type == Bool.self { return same(try bool(at: place)) }
    if type == [String].self { return same(try array(at: place) { try string(at: $0) }) }
    if type == [Int].self { return same(try array(at: place) { try integer(Int.self, at: $0) }) }
    if type == [Double].self { return same(try array(at: place) { try double(at: $0) }) }
    // Each is a value of the type.
    if let foreign = try foreign(type, at: place) { return foreign as! T }
    return try T(from: DecodingNode(text: self, place: place))
  }

  private func array<Element>(at place: Int, _ element: (Int) throws -> Element) throws -> [Element] {
    guard isArray(place) else { throw mismatch([JSONValue].self, at: place) }
    let (count, first) = read { ($0.count(of: place), $0.firstItem(of: place)) }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var item = first
    for _ in 0..<count {
      elements.append(try element(item))
      item = read { $0.next(after: item) }
    }
    return elements
  }

  private func foreign<T: Decodable>(_ type: T.Type, at place: Int) throws -> Any? {
    if type == JSONValue.self { return value(at: place) }
    #if canImport(FoundationEssentials) || canImport(Foundation)
      if type == URL.self { return try converted(URL.self, at: place) { URL(string: $0) } }
      if type == Data.self { return try converted(Data.self, at: place) { Data(base64Encoded: $0) } }
      if type == Decimal.self {
        guard case .number(let number) = value(at: place) else { throw mismatch(type, at: place) }
        guard let decimal = Decimal(string: number.literal) else { throw corrupted(type, at: place) }
        return decimal
      }
    #endif
    return nil
  }

  private func converted<T>(_ type: T.Type, at place: Int, _ convert: (String) -> T?) throws -> T {
    guard case .string(let text) = value(at: place) else { throw mismatch(type, at: place) }
    guard let value = convert(text) else { throw corrupted(type, at: place) }
    return value
  }
}
