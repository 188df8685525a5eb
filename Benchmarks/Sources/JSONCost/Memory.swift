import CAllocator
import Foundation
import StateJSON

/// How much memory a parsed document takes, and how large its text is, in bytes.
///
/// What the allocator adds to each piece counts as well.
func memoryOfParsed(_ path: String) throws -> (memory: Int, text: Int) {
  let text = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  // What is made once is not of the document.
  let small = try JSONValue(parsing: #"{"a":[1,2.5,"x",null,true,{"b":"\n"}]}"#)
  let before = allocator_bytes_in_use()
  let value = try JSONValue(parsing: text)
  let after = allocator_bytes_in_use()
  withExtendedLifetime((small, value)) {}
  return (Int(after) - Int(before), text.count)
}
