import StoreCore

extension Cause {
  /// As a person is told who made the change.
  var phrase: String {
    switch kind {
    case .start: "as found"
    case .action: "changed here"
    case .instance: "changed by \(instance.map { "instance \($0)" } ?? "another instance")"
    case .device: "changed by \(instance ?? "another device")"
    case .edit: "edited"
    case .restore: "restored" + (instance.map { " by instance \($0)" } ?? "")
    default: kind.rawValue
    }
  }
}
