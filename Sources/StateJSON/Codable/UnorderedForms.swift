/// What is known of types that may be unordered collections; asking the runtime each time takes longer than most values.
struct UnorderedForms {
  private struct Known {
    var type: ObjectIdentifier?
    var form: UnorderedPlaces.Form?
  }

  private var known = InlineArray<32, Known>(repeating: Known())

  @inline(__always)
  mutating func form<T>(of type: T.Type) -> UnorderedPlaces.Form? {
    let identifier = ObjectIdentifier(type)
    // Metadata lie at multiples of eight or more.
    let slot = (UInt(bitPattern: identifier) >> 4) & 31
    if known[Int(slot)].type == identifier { return known[Int(slot)].form }
    let form = (type as? any UnorderedEncodable.Type)?.unorderedForm
    known[Int(slot)] = Known(type: identifier, form: form)
    return form
  }
}
