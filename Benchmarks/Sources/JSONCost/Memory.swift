import CAllocator
import Foundation
import StateJSON

/// How much memory a text takes when it is parsed, and how large it is, in bytes: as a value, and as a document that has not been asked
/// for its value, whose text counts as well.
///
/// What the allocator adds to each piece counts as well.
func memoryOfParsed(_ path: String) throws -> (value: Int, document: Int, text: Int) {
  let text = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  // What is made once is not of the document.
  let small = try JSONValue(parsing: #"{"a":[1,2.5,"x",null,true,{"b":"\n"}]}"#)
  let before = allocator_bytes_in_use()
  let value = try JSONValue(parsing: text)
  let between = allocator_bytes_in_use()
  let document = try JSONDocument(parsing: text)
  let after = allocator_bytes_in_use()
  withExtendedLifetime((small, value, document)) {}
  // The document shares the bytes that it was given.
  return (Int(between) - Int(before), Int(after) - Int(between) + text.count, text.count)
}
