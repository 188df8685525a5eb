import HotReload
import Measuring
import StoreCore

func elsewhere(_ files: Files) throws -> Topic {
  let background = Store(App(), reducer: reduce, reducing: .inBackground())
  func commit(_ store: Store<App, Action>) async {
    do { try await store.commit() } catch { fatalError("\(error)") }
  }
  let mirrored = try Store(App(), reducer: reduce, middleware: [HotReload(file: files.path("app.json"))])
  files.closeAtEnd(mirrored)
  return Topic(
    "Elsewhere",
    [
      Subject("`reducing: .inBackground()`, until all are reduced", { background.dispatch(.add(1)) }) { _ in
        await commit(background)
      },
      Subject("`HotReload`, until a thousand are in the file", count: 1_000, { mirrored.dispatch(.add(1)) }) { _ in
        await commit(mirrored)
      },
    ])
}
