/// The state that the benchmarks keep in a file: some fields, and as many rows as make it so large.
public struct Catalogue: Codable, Sendable, Equatable {
  /// What a writer counts up, and by which a reader knows what it has read. First, so that it is found without parsing.
  public var sequence: Int
  public var title: String
  public var count: Int
  public var items: [Item]

  /// One without rows.
  public init() {
    (sequence, title, count, items) = (0, "", 0, [])
  }

  public struct Item: Codable, Sendable, Equatable {
    public var id: Int
    public var name: String
    public var price: Double
    public var isInStock: Bool
    public var tags: [String]
    public var note: String?
    public var size: Size
  }

  public struct Size: Codable, Sendable, Equatable {
    public var width: Int
    public var height: Int
  }
}

/// What is done to a catalogue.
public enum CatalogueAction: Codable, Sendable {
  case add(Int)
  case number(Int)
  case toggleStock(item: Int)
}

/// Reduces an action.
@Sendable public func reduce(_ catalogue: inout Catalogue, _ action: CatalogueAction) {
  switch action {
  case .add(let step): catalogue.count += step
  case .number(let sequence): catalogue.sequence = sequence
  case .toggleStock(let item): catalogue.items[item].isInStock.toggle()
  }
}
