/// A collection whose elements are found by an identity and changed where they are.
///
/// Arrays of identifiable elements are (in the time of a search), and dictionaries, by key.
public protocol ElementsByID {
  /// What an element is found by.
  associatedtype ElementID
  /// What is found.
  associatedtype ElementByID

  /// Changes the element with the identity where it is; does nothing if there is none.
  mutating func update(id: ElementID, _ change: (inout ElementByID) -> Void)
}

extension Array: ElementsByID where Element: Identifiable {
  /// Changes the first element with the identity where it is; does nothing if there is none.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public mutating func update(id: Element.ID, _ change: (inout Element) -> Void) {
    if let index = firstIndex(where: { $0.id == id }) { change(&self[index]) }
  }
}

extension Dictionary: ElementsByID {
  /// Changes the value of the key where it is; does nothing if there is none.
  @inlinable
  public mutating func update(id: Key, _ change: (inout Value) -> Void) {
    if let index = index(forKey: id) { change(&values[index]) }
  }
}

extension Reducer {
  /// Reduces each element of a collection by the actions that name it.
  ///
  ///     enum ListAction: Sendable {
  ///       case row(Row.ID, RowAction)
  ///
  ///       var row: (Row.ID, RowAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
  ///     }
  ///
  ///     let list: Reducer<List, ListAction> = row.forEach(\.rows, action: \.row)
  ///
  /// The element is changed in place; an action for one that is gone changes nothing.
  ///
  /// - Parameters:
  ///   - elements: Where the elements are: an array of identifiable elements, a dictionary, or `Entities`.
  ///   - extract: The identity and the action: a key path or a closure. With nil, nothing is changed.
  /// - Returns: a reducer of the state that has the elements.
  @inlinable
  public func forEach<Whole, WholeAction, Elements: ElementsByID & SendableMetatype>(
    _ elements: WritableKeyPath<Whole, Elements> & Sendable,
    action extract: @escaping @Sendable (WholeAction) -> (Elements.ElementID, Action)?
  ) -> Reducer<Whole, WholeAction> where Elements.ElementByID == State {
    Reducer<Whole, WholeAction> { [reduce] whole, action in
      guard let (id, action) = extract(action) else { return }
      whole[keyPath: elements].update(id: id) { reduce(&$0, action) }
    }
  }
}
