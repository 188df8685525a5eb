import StateJSON

extension JSONValue {
  /// As it is told in a message.
  var shortened: String {
    let text = "\(self)"
    return text.count <= 80 ? text : text.prefix(79) + "…"
  }
}
