import StateJSON

/// The contents of an entry: what was done to the document, as a change and, where they can be encoded, as actions.
package struct JournalEntry: Sendable {
  /// A document that a device held when it joined without having heard of the others.
  package enum Seed: String, Sendable {
    /// The defaults of an app, which count only where there is nothing else.
    case defaults
    /// Contents of its own, which are added to what there is.
    case contents
  }

  /// When it was done, by the clock of the device: milliseconds since 1970.
  package let time: Int
  /// The label, in the local log of the device, of the last commit that this exports; `nil` if it exports none.
  package let upto: String?
  /// The kind of seed that this is, if it is one.
  package let seed: Seed?
  /// The app whose actions these are; `nil` for ``DocumentAction``s, which everybody can reduce.
  package let app: AppVersion?
  /// The actions as they are encoded; `nil` if they can't be, or there were none.
  package let actions: [JSONValue]?
  /// The actions, if they belong to no app and all of them are known.
  package let documentActions: [DocumentAction]?
  /// The change that they made where they were done; `nil` if none.
  package let change: SparseChange?

  /// Makes an entry of its parts.
  package init(
    time: Int, upto: String? = nil, seed: Seed? = nil, app: AppVersion? = nil, actions: [JSONValue]? = nil,
    change: SparseChange? = nil
  ) {
    (self.time, self.upto, self.seed, self.app, self.actions, self.change) = (time, upto, seed, app, actions, change)
    documentActions = app == nil ? actions.flatMap { DocumentAction.all($0) } : nil
  }
}

extension JournalEntry {
  init(_ fields: LineFields) throws(JournalLineError) {
    let seed: Seed? = try fields.optional("seed", "\"defaults\" or \"contents\"") {
      if case .string(let name) = $0 { Seed(rawValue: name) } else { nil }
    }
    let actions: [JSONValue]? = try fields.optional("actions", "a list of actions") {
      if case .array(let actions) = $0 { actions } else { nil }
    }
    if let actions, actions.count > JournalLimits.actionCount {
      throw LineFields.tooMany("actions", limit: JournalLimits.actionCount)
    }
    let change = try fields.change()
    if seed == .contents {
      guard case .replaced(nil, _?)? = change else {
        throw LineFields.unexpected(fields.object["change"], "what the contents are", at: ["change"])
      }
    }
    self.init(
      time: try fields.integer("time"), upto: try fields.optionalLabel("upto"), seed: seed,
      app: try fields.optional("app", AppVersion.expected) { AppVersion($0) }, actions: actions, change: change)
  }
}
