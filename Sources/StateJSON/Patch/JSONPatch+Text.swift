extension JSONPatch {
  /// The JSON representation as compact text: that of ``value``, which isn't made for it.
  package var text: [UInt8] {
    var writer = JSONWriter(format: .compact)
    writer.append(UInt8(ascii: "["))
    for (index, operation) in operations.enumerated() {
      writer.append(index == 0 ? "{\"op\":\"" : ",{\"op\":\"")
      writer.append(operation.staticName)
      writer.append("\",")
      switch operation {
      case .move(let from, _), .copy(let from, _):
        writer.append("\"from\":")
        writer.write(from.description)
        writer.append(",")
      case .add, .remove, .replace, .test: break
      }
      writer.append("\"path\":")
      writer.write(operation.path.description)
      switch operation {
      case .add(let value, _), .replace(_, let value), .test(_, let value):
        writer.append(",\"value\":")
        writer.write(value)
      case .remove, .move, .copy: break
      }
      writer.append("}")
    }
    writer.append("]")
    return writer.bytes()
  }
}
