import StoreCore

/// Posts a comment: it is shown at once, and taken back if the service won't have it.
func postComment(_ draft: Draft, by author: String) -> Thunk<App, AppAction, Void, Never> {
  Thunk { context in
    let dependencies = context.dependencies
    let comment = Comment(
      id: dependencies.newID(), episode: draft.episode, author: author, text: draft.text,
      postedAt: dependencies.now(), replyTo: draft.replyTo)
    context.dispatch(.comments(.add(comment)))
    context.dispatch(.draft(.clear))
    context.dispatch(.route(.pop("/write")))
    do {
      try await dependencies.service.post(comment)
    } catch {
      context.dispatch(.comments(.withdraw(comment.id)))
      context.dispatch(.draft(.restore(draft)))
      context.dispatch(.report("your comment was not posted: \(error)"))
    }
  }
}
