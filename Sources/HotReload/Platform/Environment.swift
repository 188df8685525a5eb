// `environ` is a variable to the compiler; nothing in this process changes it.
@preconcurrency import Glibc

/// The variables that this process was started with.
package enum Environment {
  /// The corresponding C function is `getenv`.
  package static subscript(name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// All variables as `NAME=value`, with some set in addition or in the place of others.
  package static func adding(_ additions: [String: String]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      let text = String(cString: variable)
      if !additions.keys.contains(where: { text.hasPrefix("\($0)=") }) { variables.append(text) }
      next += 1
    }
    return variables + additions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
