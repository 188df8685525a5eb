/// The name of an effect: equal only to one of the same type.
@usableFromInline
struct EffectID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  @usableFromInline
  static func == (left: EffectID, right: EffectID) -> Bool {
    func isEqual<Value: Hashable>(_ value: Value) -> Bool { right.value as? Value == value }
    return type(of: left.value) == type(of: right.value) && isEqual(left.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value as Any)))
    value.hash(into: &hasher)
  }
}

extension EffectID: CustomStringConvertible {
  @usableFromInline
  var description: String { "\(value)" }
}
