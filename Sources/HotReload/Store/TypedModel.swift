import Replication
import StateJSON

/// A replica of a typed state, or of the part of one that a key path leads to.
///
/// A class, as a copy of a structure would have to look up its layout, which depends on the app's types.
final class TypedModel<State: Sendable, StoreAction: Sendable>: ReplicaModel {
  typealias Action = Submission<State, StoreAction>
  /// Changes the document's value on its way in, before it is decoded.
  typealias Migration = @Sendable (JSONValue) throws -> JSONValue

  private let file: String
  let form: RecordedActions.Form
  let sums: Set<JSONPointer>
  /// An action as JSON; `nil` where none is told to other devices.
  private let encodeAction: (@Sendable (StoreAction) throws -> [UInt8])?
  private let reducer: @Sendable (inout State, StoreAction) -> Void
  private let migrate: Migration?
  /// Parts of it whose text has more bytes than this are made anew: see ``separated(_:above:)``.
  private let decodePart: @Sendable (JSONDocument, inout State, _ size: Int) throws -> Void
  /// Gives each state the part of the other that is mirrored.
  let exchange: @Sendable (inout State, inout State) -> Void
  private let encodePart: @Sendable (State, IncrementalEncoder?) throws -> TypedDump
  // From one state to the next what hasn't changed is at one place in memory; in a state that was decoded, at another one.
  /// For the states that follow each other as they are reduced.
  private let reduced = IncrementalEncoder()
  /// For those that the documents are decoded as.
  private let decoded = IncrementalEncoder()

  init<Part: Codable & Sendable>(
    file: String, part: any WritableKeyPath<State, Part> & Sendable, migrate: Migration?, app: AppVersion? = nil,
    sums: Set<JSONPointer> = [], reducer: @escaping @Sendable (inout State, StoreAction) -> Void
  ) {
    self.file = file
    form = RecordedActions.Form(of: app)
    self.sums = sums
    let type = app == nil ? nil : StoreAction.self as? any (Codable & Sendable).Type
    encodeAction = type.map { Self.encoder(of: $0) }
    self.reducer = reducer
    self.migrate = migrate
    let decoder = IncrementalDecoder()
    decodePart = { document, state, size in
      state[keyPath: part] = try decoder.decode(Part.self, from: document, renewingAbove: size)
    }
    exchange = { swap(&$0[keyPath: part], &$1[keyPath: part]) }
    encodePart = { state, encoder in
      let part = state[keyPath: part]
      return if let encoder { try encoder.dump(part) } else { try JSONValueEncoder().dump(part) }
    }
  }

  /// Whether a state is written as the other is; one that can't be written is none of its business.
  func isSame(_ state: State, _ other: Decoded<State>) -> Bool {
    guard let dump = try? encodePart(state, nil), let known = try? other.encoding ?? encodePart(other.state, decoded)
    else { return true }
    return dump.hasSameValue(as: known)
  }

  func apply(_ submission: Action, to state: inout State) {
    switch submission {
    case .action(let action): reducer(&state, action)
    case .restored(let restoration): restore(restoration, in: &state)
    }
  }

  func isRestore(_ submission: Action) -> Bool {
    guard case .restored(let restoration) = submission else { return false }
    // Of something else than what is mirrored it changes nothing.
    guard let dumps = try? restoration.dumps({ try encodePart($0, nil) }) else { return true }
    return !dumps.before.hasSameValue(as: dumps.after)
  }

  /// Brings the part back that is mirrored, and leaves what others have changed in it meanwhile; the earlier value wins where
  /// both have changed a place.
  private func restore(_ restoration: StateRestore<State>, in state: inout State) {
    do {
      let (before, after) = try restoration.dumps { try encodePart($0, nil) }
      if before.hasSameValue(as: after) { return }
      let merged = try encodePart(state, nil).merging(from: before, to: after)
      try decodePart(JSONDocument(compact: merged), &state, .max)
    } catch {
      // What can't be told apart is brought back as a whole.
      var after = restoration.after
      exchange(&after, &state)
    }
  }

  func decode(_ document: JSONDocument, into state: inout State) throws(Problem) -> JSONDocument {
    var document = document
    if let migrate {
      do {
        let migrated = try migrate(document.value)
        if !migrated.isIdentical(to: document.value) { document = document.replacingValue(with: migrated) }
      } catch {
        throw Problem(.undecodable, file: file, message: "'\(file)' cannot be migrated: \(error)")
      }
    }
    do {
      try decodePart(document, &state, .max)
    } catch {
      let failure = JSONDecodingError(error)
      // What is missing has no place of its own; what it is missing from has.
      let tokens = failure.pointer.tokens
      let place = document.location(of: tokens) ?? document.location(of: tokens.dropLast())
      throw Problem(
        .undecodable, file: file, message: failure.description, line: place?.line, column: place?.column)
    }
    return document
  }

  func recorded(_ submission: Action, _ outcome: Void?) -> RecordedAction {
    // What can't be encoded is told by what it changed.
    guard let encodeAction, case .action(let action) = submission, let text = try? encodeAction(action) else {
      return .unsayable
    }
    return .text(text)
  }

  private static func encoder<Known: Encodable & Sendable>(of type: Known.Type)
    -> @Sendable (StoreAction) throws -> [UInt8]
  {
    let encoder = JSONValueEncoder()
    return { action in
      guard let action = action as? Known else { preconditionFailure("the two types are one") }
      return try encoder.dump(action).document.bytes
    }
  }

  var sharesStates: Bool { true }

  func separated(_ decoded: Decoded<State>, above size: Int) -> State {
    // Either may have encoded it, or what a part of it was taken over from.
    reduced.forget(above: size)
    self.decoded.forget(above: size)
    var state = decoded.state
    // It is known to mean this state. Should it not be decoded once more, then the state stays shared.
    try? decodePart(decoded.document, &state, size)
    return state
  }

  func encode(_ state: State, over base: Decoded<State>?) throws(Problem) -> Decoded<State> {
    let new = try dump(state, by: reduced)
    var document = base?.document ?? JSONDocument(formatting: new.value)
    if let base {
      let old = if let encoding = base.encoding { encoding } else { try dump(base.state, by: decoded) }
      document = document.reconciled(from: old, to: new)
    }
    // What is written must mean this state to everybody who reads it. A type that reads keys which it doesn't write
    // may find another meaning in what the document held before; then only the state's own encoding is safe.
    if try !stands(document, for: new, of: state) {
      document = document.replacingValue(with: new.value)
      guard try stands(document, for: new, of: state) else {
        throw Problem(
          .unencodable, file: file,
          message: "the state is not written: its encoding is decoded as another state; check its Codable conformance")
      }
    }
    return Decoded(state: state, document: document, encoding: new)
  }

  private func stands(_ document: JSONDocument, for new: TypedDump, of state: State) throws(Problem) -> Bool {
    var decoded = state
    do {
      try decodePart(document, &decoded, .max)
    } catch {
      throw Problem(
        .unencodable, file: file,
        message: "the state is not written: its encoding cannot be decoded again: \(JSONDecodingError(error))")
    }
    return try dump(decoded, by: self.decoded).hasSameValue(as: new)
  }

  private func dump(_ state: State, by encoder: IncrementalEncoder) throws(Problem) -> TypedDump {
    do {
      return try encodePart(state, encoder)
    } catch {
      throw Problem(.unencodable, file: file, message: "the state cannot be encoded: \(JSONEncodingError(error))")
    }
  }
}
