import Glibc
import HotReload
import Measuring
import StoreCore

/// A file to mirror a state in.
struct Mirror {
  private let folder: String
  let store: Store<App, Action>

  init() throws {
    folder = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/replicate-benchmark-\(getpid())"
    mkdir(folder, 0o700)
    store = try Store(App(), reducer: reduce, middleware: [HotReload(file: folder + "/app.json")])
  }

  func remove() async throws {
    try await store.close()
    unlink(folder + "/app.json")
    rmdir(folder)
  }
}

func elsewhere(_ mirror: Mirror) throws -> Topic {
  let background = Store(App(), reducer: reduce, reducing: .inBackground())
  func commit(_ store: Store<App, Action>) async {
    do { try await store.commit() } catch { fatalError("\(error)") }
  }
  let mirrored = mirror.store
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
