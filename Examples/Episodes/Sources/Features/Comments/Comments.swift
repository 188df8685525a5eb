import StoreCore

/// What somebody said about an episode.
struct Comment: Codable, Sendable, Equatable, Identifiable {
  var id: String
  var episode: Episode.ID
  var author: String
  var text: String
  /// As RFC 3339 has it.
  var postedAt: String
  var likes = 0
  @Nullable var replyTo: Comment.ID? = nil
}

enum CommentsAction: Codable, Sendable, Equatable {
  case loaded([Comment])
  case add(Comment)
  case withdraw(Comment.ID)
  case like(Comment.ID)
}

let commentsReducer = Reducer<Entities<Comment>, CommentsAction> { comments, action in
  switch action {
  case .loaded(let loaded):
    // Those that are here already may have been liked since.
    for comment in loaded where !comments.contains(id: comment.id) { comments.upsert(comment) }
  case .add(let comment): comments.upsert(comment)
  case .withdraw(let id): comments.remove(id: id)
  // A counter from a file may be any number.
  case .like(let id): comments[id: id]?.likes &+= 1
  }
}
