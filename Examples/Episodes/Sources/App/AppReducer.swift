import StoreCore
import StoreRouting

/// The features, each plugged in by one line.
let appReducer = Reducer<App, AppAction>.combine(
  Reducer(Route.reduce).scope(state: \.route, action: \.route),
  loadingReducer.scope(action: \.loading),
  searchReducer.scope(state: \.search, action: \.search),
  episodesReducer.scope(state: \.episodes, action: \.episodes),
  detailsReducer.scope(state: \.details, action: \.details),
  commentsReducer.scope(state: \.comments, action: \.comments),
  draftReducer.scope(state: \.draft, action: \.draft),
  Reducer { app, action in if case .report(let trouble) = action { app.lastError = trouble } })
