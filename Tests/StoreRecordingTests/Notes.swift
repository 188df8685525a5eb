import StoreCore

@testable import StoreRecording

/// An app to record.
struct Notes: Codable, Sendable, Equatable {
  struct Note: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var text: String
  }

  var notes: [Note] = []
  var token: String?
  var weight = 0.0
}

enum NotesAction: Codable, Sendable, Equatable {
  case add(String)
  case change(Int, String)
  case logIn(token: String)
  case weigh(Double)
}

let notesReducer = Reducer<Notes, NotesAction> { notes, action in
  switch action {
  case .add(let text): notes.notes.append(Notes.Note(id: notes.notes.count + 1, text: text))
  case .change(let id, let text): if notes.notes.indices.contains(id - 1) { notes.notes[id - 1].text = text }
  case .logIn(let token): notes.token = token
  case .weigh(let weight): notes.weight = weight
  }
}

typealias NotesStore = Store<Notes, NotesAction>
