import StoreCore

/// A comment that is being written.
struct Draft: Codable, Sendable, Equatable {
  var episode: Episode.ID = 0
  var text = ""
  @Nullable var replyTo: Comment.ID? = nil
}

enum DraftAction: Codable, Sendable, Equatable {
  /// Goes on with what was begun, unless that was about something else.
  case begin(on: Episode.ID, replyTo: Comment.ID?)
  /// What was typed at the end, and not what the text is then: it fits whatever somebody else has typed meanwhile.
  case append(String)
  case deleteLast
  case clear
  /// It couldn't be posted. What was typed since comes after it.
  case restore(Draft)
}

let draftReducer = Reducer<Draft, DraftAction> { draft, action in
  switch action {
  case .begin(let episode, let replyTo):
    if draft.episode != episode || draft.replyTo != replyTo { draft = Draft(episode: episode, replyTo: replyTo) }
  case .append(let text): draft.text += text
  case .deleteLast: _ = draft.text.popLast()
  case .clear: draft.text = ""
  case .restore(let old):
    if draft.episode == old.episode { draft.text = old.text + draft.text }
  }
}
