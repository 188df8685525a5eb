/// A value of a type that is known to be the other: coders compare types first, since that costs less than a cast.
@inline(__always)
func same<Value, Other>(_ value: Value) -> Other {
  precondition(Value.self == Other.self)
  // One type, so there is nothing to reinterpret.
  return unsafeBitCast(value, to: Other.self)
}
