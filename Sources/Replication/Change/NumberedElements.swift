import StateJSON

/// The elements of a list by number, and others that may come to be among them.
struct NumberedElements {
  /// The number of each identity that has been asked for, or is in the list.
  private(set) var numbers: [ElementIdentity: Int]
  /// The elements by number; `nil` for one that isn't in the list.
  var values: [JSONValue?]
  /// The numbers of the elements of the list that have an identity of their own, in order.
  let present: [Int]
  /// For each of these its place, and the end of the list.
  private let places: [Int]
  private let elements: [JSONValue]

  init(_ elements: [JSONValue], key: String) {
    self.elements = elements
    numbers = Dictionary(minimumCapacity: elements.count)
    values = []
    var places: [Int] = []
    for (place, element) in elements.enumerated() {
      guard let identity = element.identity(by: key) else { continue }
      if let first = numbers.updateValue(values.count, forKey: identity) {
        numbers[identity] = first
        continue
      }
      values.append(element)
      places.append(place)
    }
    present = Array(values.indices)
    self.places = places + [elements.count]
  }

  /// The number of an element that may be missing.
  mutating func number(of identity: ElementIdentity) -> Int {
    if let number = numbers[identity] { return number }
    numbers[identity] = values.count
    values.append(nil)
    return values.count - 1
  }

  /// Those of the values that there are in this order, each with what is inert behind it. What is inert behind one that is
  /// gone comes last.
  func elements(in order: [Int]) -> [JSONValue] {
    var result = Array(elements[..<places[0]])
    result.reserveCapacity(elements.count + order.count - present.count)
    for number in order {
      if let value = values[number] { result.append(value) }
      result += inert(behind: number)
    }
    for number in present where values[number] == nil { result += inert(behind: number) }
    return result
  }

  private func inert(behind number: Int) -> ArraySlice<JSONValue> {
    number < present.count ? elements[places[number] + 1..<places[number + 1]] : []
  }
}
