import HotReload
import StateJSON
import StoreCore
import StoreRouting
import StoreTesting

// What the examples in doc comments take for granted. Each is compiled as a program of its own that imports this; what an
// example declares itself counts instead.

struct App: Codable, Sendable, Equatable {
  var count = 0
  var title = ""
  var query = ""
  var user: User.ID = 7
  var isPlaying = false
  var counter = Counter()
  var search = Search()
  var feed = Feed()
  var document = Document()
  var episodes: Entities<Episode> = []
  var rows: [Row] = []
  var filter = Filter()
  var loading = EffectState()
  var downloads: [Download] = []
  var route = Route.root
}

enum AppAction: Codable, Sendable, Equatable {
  case add(Int)
  case rename(String)
  case type(String)
  case drag(Row.ID, by: Int)
  case load(Episode.ID)
  case show(Episode)
  case found([String])
  case loading(EffectAction)
  case loaded(Feed)
  case download(Download.ID, EffectAction)
  case downloaded(Download.ID, [UInt8])
  case tick
  case counter(CounterAction)
  case search(SearchAction)
  case sheet(SheetAction)
  case route(RouteAction)

  var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }
  var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
}

let app = Reducer<App, AppAction> { _, _ in }
let store = Store(App(), reducer: app)
let root = store
let before = App()
let after = App()

struct Counter: Codable, Sendable, Equatable {
  var count = 0
}

enum CounterAction: Codable, Sendable, Equatable {
  case add(Int)
  case reset
}

let counter = Reducer<Counter, CounterAction> { _, _ in }

struct Search: Codable, Sendable, Equatable {
  var text = ""
  var query = ""
  var message = ""
  var results: [String] = []
}

enum SearchAction: Codable, Sendable, Equatable {
  case type(String)
  case found([String])
  case failed(String)

  var failed: String? { if case .failed(let message) = self { message } else { nil } }
}

let search = Reducer<Search, SearchAction> { _, _ in }

func reduce(_ search: inout Search, _ action: SearchAction) -> Effect<SearchAction> { .none }

struct Sheet: Sendable {
  mutating func reduce(_ action: AppAction) {}
}

enum SheetAction: Codable, Sendable, Equatable {
  case open(Episode.ID)
}

let sheetReducer = Reducer<Sheet, SheetAction> { _, _ in }

let sheetEffects = EffectReducer<Sheet, SheetAction> { _, _ in .none }

struct Detail: Sendable {}

enum DetailAction: Sendable { case close }

enum ScreenAction: Sendable {
  case detail(DetailAction)

  var detail: DetailAction? { if case .detail(let action) = self { action } else { nil } }
}

let detail = Reducer<Detail, DetailAction> { _, _ in }

struct Row: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var title = ""
  var isRead = false
}

enum RowAction: Sendable { case read }

struct List: Sendable {
  var rows: [Row] = []
}

let row = Reducer<Row, RowAction> { row, _ in row.isRead = true }

struct Filter: Codable, Sendable, Equatable {
  func admits(_ row: Row) -> Bool { !row.isRead }
}

struct Document: Codable, Sendable, Equatable {
  var revision = 0
}

struct Episode: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var title: String
}

struct Download: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var url: String
  var effect = EffectState()
}

struct User: Sendable, Identifiable {
  var id: Int
}

struct Feed: Codable, Sendable, Equatable {}

protocol API: Sendable {
  func feed(of user: User.ID) async throws -> Feed
  func search(_ text: String) async throws -> [String]
  func episode(_ id: Episode.ID) async throws -> Episode
  func data(of url: String) async throws -> [UInt8]
}

struct LiveAPI: API {
  func feed(of user: User.ID) async throws -> Feed { Feed() }
  func search(_ text: String) async throws -> [String] { [] }
  func episode(_ id: Episode.ID) async throws -> Episode { Episode(id: id, title: "") }
  func data(of url: String) async throws -> [UInt8] { [] }
}

typealias FakeAPI = LiveAPI

struct LiveAPIKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> any API { LiveAPI() }
}

struct TicksKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> AsyncStream<Void> { .init(unfolding: { nil }) }
}

extension Dependencies {
  var api: any API {
    get { self[LiveAPIKey.self] }
    set { self[LiveAPIKey.self] = newValue }
  }

  var ticks: AsyncStream<Void> { self[TicksKey.self] }
}

let api: any API = LiveAPI()
let clock = ManualClock()

struct Table: Sendable {
  init(_ episodes: Entities<Episode>) {}
}

final class Label: Sendable {
  func write(_ text: String) {}
}

@MainActor final class Screen: Sendable {
  var title = ""

  nonisolated init() {}
  func show(_ list: List) {}
  func show(_ table: Table) {}
  func hide(_ list: List) {}
}

struct Library: Sendable {
  func load() async throws {}
}

let label = Label()
let screen = Screen()
let list = List()
let library = Library()

final class AppCoordinator: Coordinator {}

final class DetailCoordinator: Coordinator {
  init(episode: Episode.ID) {}
}
