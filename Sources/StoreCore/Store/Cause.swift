/// Where a change came from, so that a logger, an effect or a user interface can tell a reload from an action.
public struct Cause: Sendable, Hashable {
  /// What sort of thing caused the change. The set is open: an extension library adds its own.
  public struct Kind: Sendable, Hashable, RawRepresentable {
    public let rawValue: String

    @inlinable
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// No change at all: the value a subscription starts with.
    @inlinable public static var start: Kind { Kind(rawValue: "start") }
    /// An action dispatched in this store.
    @inlinable public static var action: Kind { Kind(rawValue: "action") }
    /// Another instance that shares the state.
    @inlinable public static var instance: Kind { Kind(rawValue: "instance") }
    /// Another device that shares the state.
    @inlinable public static var device: Kind { Kind(rawValue: "device") }
    /// Somebody who edited the state from outside, such as with a text editor.
    @inlinable public static var edit: Kind { Kind(rawValue: "edit") }
    /// A return to an earlier state: time travel, undo, a migration.
    @inlinable public static var restore: Kind { Kind(rawValue: "restore") }
  }

  /// What sort of thing it was.
  public let kind: Kind

  /// Who caused it, where that is known: the identity of an instance, as its replicator names it, or the name of a device, or of
  /// several.
  public let instance: String?

  /// Makes a cause of a kind; there is a shorter form for each of the known ones.
  @inlinable
  public init(_ kind: Kind, instance: String? = nil) {
    self.kind = kind
    self.instance = instance
  }

  /// The value a subscription starts with.
  @inlinable public static var start: Cause { Cause(.start) }
  /// An action dispatched in this store.
  @inlinable public static var action: Cause { Cause(.action) }
  /// Another instance that shares the state.
  @inlinable public static func instance(_ instance: String) -> Cause { Cause(.instance, instance: instance) }
  /// Another device that shares the state, by its name.
  @inlinable public static func device(_ name: String) -> Cause { Cause(.device, instance: name) }
  /// An edit from outside.
  @inlinable public static var edit: Cause { Cause(.edit) }
  /// A return to an earlier state.
  @inlinable public static var restore: Cause { Cause(.restore) }
}

extension Cause: CustomStringConvertible {
  /// The kind, and after a space the instance where it is known: `instance 4f2a`.
  public var description: String {
    instance.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
  }
}
