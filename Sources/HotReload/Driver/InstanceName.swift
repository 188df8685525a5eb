/// Names for instances: short enough to read, random enough to tell them apart.
package enum InstanceName {
  /// A new name: eight hexadecimal digits.
  package static func random() -> String {
    let digits = String(UInt32(truncatingIfNeeded: SystemRandom().next()), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
