/// The names of the methods that write to a document, which a program with a store refuses.
package enum DocumentMethodName: String, CaseIterable, Sendable {
  case set, remove, increment, patch, merge
}
