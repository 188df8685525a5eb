// Answers questions about StateJSON, one JSON text a line, for `scripts/check patches`.
//
//     {"parse": "7b7d"}                    bytes as hexadecimal digits
//     {"document": …, "patch": […]}
//
// The answer is {"value": …}, or {"error": "…"}.

import StateJSON

func answer(_ request: JSONValue) throws -> JSONValue {
  guard case .object(let members) = request else { throw UnknownRequest() }
  if case .string(let digits)? = members["parse"] {
    return try JSONValue(parsing: bytes(digits))
  }
  if let document = members["document"], let patch = members["patch"] {
    return try document.applying(JSONPatch(patch))
  }
  throw UnknownRequest()
}

func bytes(_ digits: String) throws -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  guard values.count == digits.count, values.count.isMultiple(of: 2) else { throw UnknownRequest() }
  return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}

struct UnknownRequest: Error {}

while let line = readLine() {
  let reply: JSONValue
  do {
    reply = ["value": try answer(try JSONValue(parsing: line))]
  } catch {
    reply = ["error": .string("\(error)")]
  }
  print(reply)
}
