import StateJSON

/// A change of a value, said as sparsely as it can be, so that it can be done to another value as well.
///
///     let change = SparseChange(from: ["a": 1, "b": 1], to: ["a": 2, "b": 1])
///     change?.value                        // {"in":{"a":{"was":1,"is":2}}}
///     change?.applying(to: ["a": 1, "b": 3])  // {"a":2,"b":3}
///
/// On the value it was made from, a change gives the value it was made to. On another one it is the newer side of a
/// three-way merge (``JSONMerge``) whose base it says only as far as it matters: what else stands there stays.
package enum SparseChange: Sendable {
  /// A place held one value and holds another one. `nil` is none, which is not `null`: a member that came or went.
  case replaced(was: JSONValue?, is: JSONValue?)
  /// Members of an object changed, each of them said once.
  case members([Member])
  /// Elements of a list changed, which a member tells apart.
  case elements(Elements)
  /// A number was added to another one.
  case added(JSONNumber)

  /// A member of an object, and what changed there.
  package struct Member: Sendable {
    /// The key, unescaped.
    package let key: String
    /// The change of its value.
    package let change: SparseChange
  }
}
