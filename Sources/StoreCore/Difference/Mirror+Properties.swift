extension Mirror {
  /// The stored properties as their type's author calls them: one whose wrapper stores nothing but its value is that value.
  var properties: [Mirror.Child] {
    children.map { child in
      guard let label = child.label, label.hasPrefix("_") else { return child }
      let wrapper = Mirror(reflecting: child.value)
      guard wrapper.displayStyle == .struct, wrapper.children.count == 1, let stored = wrapper.children.first,
        stored.label == "wrappedValue"
      else { return child }
      return (String(label.dropFirst()), stored.value)
    }
  }
}
