import StoreCore

extension Cause {
  /// What made a version, from the words in which it is listed.
  init(_ cause: String, author: String) {
    switch cause {
    case "start": self = .start
    case "edit": self = .edit
    case "device": self = .device(author)
    case "restore": self = Cause(.restore, instance: author)
    default: self = author.isEmpty ? .action : .instance(author)
    }
  }

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
