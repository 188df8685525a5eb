import StoreCore
import TerminalScreen
import Testing

@testable import Episodes

@Suite struct `The screen` {
  /// The screen as text, without the spaces at the ends of its lines.
  private func text(
    _ state: NodeState<App, Interface>, cause: Cause = .start, problems: [String] = [], columns: Int = 64,
    rows: Int = 13
  ) -> String {
    Screen(state: state, file: "s.json", cause: cause, problems: problems)
      .lines(size: Size(columns: columns, rows: rows))
      .map { line in String(line.text.reversed().drop { $0 == " " }.reversed()) }
      .joined(separator: "\n")
  }

  @Test func `lists the episodes`() {
    var app = App.sample
    app.episodes[id: 1103]?.progress = 0.35
    app.search.filter.minimumRating = 7.5
    app.search.filter.onlyUnwatched = false
    let list = interface(app) { $0.episode = 1103 }
    #expect(
      text(list, cause: .edit, rows: 10) == """
         Die Leuchtturmwärter                                Nordic One
                                                                 ★ 7.5+

           1×01  Nebel                           ★  8.1   52 min     ✓
         ▸ 1×03  雪の灯台                        ★  8.6   52 min  35 %
           2×01  Ein Licht, zwei Schatten        ★    –   52 min


         last change: edit                                       s.json
         ⏎ open  / search  f filter  w watched  q quit  r load
        """)
  }

  @Test func `keeps the cursor in view`() {
    var app = App()
    app.episodes = Entities((1...20).map { .sample($0, "1×\($0)", "Episode \($0)") })
    func rows(_ id: Episode.ID) -> [Substring] {
      text(interface(app) { $0.episode = id }, rows: 10).split(separator: "\n", omittingEmptySubsequences: false)[3...7]
        .map { line in line.split(separator: "  ").first { $0.hasPrefix("Episode") } ?? "" }
    }
    #expect(rows(1).first == "Episode 1")
    #expect(rows(10) == ["Episode 8", "Episode 9", "Episode 10", "Episode 11", "Episode 12"])
    #expect(rows(20).last == "Episode 20")
  }

  @Test func `says why the list is empty`() {
    var app = App()
    #expect(text(interface(app)).contains("   no episodes yet\n"))
    loadingReducer(&app, .want(.episodes))
    #expect(text(interface(app)).contains("   the episodes are on their way …\n"))
    app = .sample
    app.search.query = "café"
    #expect(text(interface(app)).contains("   no episode is like that\n"))
  }

  @Test func `shows what is being typed before it is searched for`() {
    var app = App.sample
    app.search.isOpen = true
    #expect(text(interface(app) { $0.typing = .init(text: "neb", over: "") }).contains("\n / neb▏\n"))
    app.search.query = "雪"
    #expect(text(interface(app) { $0.typing = .init(text: "neb", over: "") }).contains("\n / 雪▏\n"))
  }

  @Test func `shows an episode, and the sheet to rate it in`() {
    var app = App.sample.at(.rating(1104))
    app.episodes[id: 1104]?.rating = 7.5
    app.details[1104] = .sample
    app.details[1104]?.isFavourite = true
    #expect(
      text(interface(app), cause: .instance("4b1cafb2"), rows: 17) == """
         Die Leuchtturmwärter                                Nordic One
         /episodes/show/1104/rate

         2×01 Ein Licht, zwei Schatten                                ♥
              2026-01-15 · 52 min
              ★★★★★★★★☆☆  7.5
                      ╭─ 2×01 Ein Licht, zwei Schatten ─╮
              Zwei Jah│                                 │
              Der Leuc│  ★★★★★★★★☆☆   7.5               │
                      │                                 │
              directed╰─────────────────────────────────╯
              with Mei Tanaka as Yuki

              nobody has commented on it yet

         last change: instance 4b1cafb2                          s.json
         ←→ half a point  1…9 points  0 none  esc close
        """)
  }

  @Test func `shows comments, and the line to write one in`() {
    var app = App.sample.at(.writing(1104))
    app.comments = [
      .sample("c-1", on: 1104, "Dieses Ende! 😱", likes: 12), .sample("c-0", on: 1101, "elsewhere"),
      .sample("c-2", on: 1104, "The lamp was lit from the *inside*, watch 41:20 again.", replyTo: "c-1"),
    ]
    app.draft = Draft(episode: 1104, text: "雪", replyTo: "c-2")
    #expect(
      text(interface(app), columns: 48, rows: 15) == """
         Die Leuchtturmwärter                Nordic One
         /episodes/show/1104/comments/write

         ▸ Zoë  2026-03-14                         ♥ 12
           Dieses Ende! 😱

             ↳ Zoë  2026-03-14
               The lamp was lit from the *inside*,
               watch 41:20 again.


        ────────────────────────────────────────────────
         to Zoë › 雪▏
         last change: start                      s.json
         ⏎ post  esc later
        """)
  }

  @Test func `shows the filter, and what can be set in it`() {
    var app = App.sample.at(.filter)
    app.search.filter.seasons = [2]
    #expect(
      text(interface(app) { $0.filterRow = 2 }, columns: 48, rows: 13) == """
         Die Leuchtturmwärter                Nordic One
                                               season 2

         ▸ 2×╭─ Filter ───────────────────────────╮
             │                                    │
             │    ·  season 1                     │
             │    ✓  season 2                     │
             │  ▸ ★  any rating                   │
             │    ·  only what I haven't watched  │
             │                                    │
             ╰────────────────────────────────────╯
         last change: start                      s.json
         ⏎ switch  ←→ less, more  0 reset  esc close
        """)
  }

  @Test func `says what is loading, what failed, and what is wrong with the file`() {
    var app = App.sample.at(.episode(1104))
    for resource in [Resource.comments(1104), .details(1104), .episodes] { loadingReducer(&app, .want(resource)) }
    loadingReducer(&app, .effect(.details(1104), .retryOrFail(with: "no answer")))
    loadingReducer(&app, .effect(.episodes, .fail(with: "no light")))
    func notes(_ app: App) -> [Substring] {
      text(interface(app), problems: ["s.json:3:14: expected a key after ','"], columns: 72, rows: 20)
        .split(separator: "\n").suffix(7).dropLast(2).filter { !$0.hasPrefix("     ") }
    }
    #expect(
      notes(app) == [
        " ! s.json:3:14: expected a key after ','", " … loading comments on 2×01",
        " … loading details of 2×01 · attempt 2 of 3, as no answer", " ✗ no episodes: no light · r tries again",
      ])
    app.loading = Loading()
    #expect(notes(app) == [" ! s.json:3:14: expected a key after ','", " ✗ no light · x forgets it"])
  }

  @Test func `bears whatever somebody has written into the file`() {
    var app = App.sample
    app.episodes.updateAll { ($0.rating, $0.progress, $0.minutes) = (-1e300, 1e300, .min) }
    app.comments = [.sample("c-1", on: 1104, "\u{1b}[2J", likes: .max)]
    app.draft = Draft(episode: -1, text: "\n", replyTo: "c-9")
    commentsReducer(&app.comments, .like("c-1"))
    for place in [Place.list, .rating(1104), .writing(1104)] {
      #expect(!text(interface(app.at(place)) { $0.filterRow = -7 }).contains("\u{1b}"))
    }
  }

  @Test(arguments: [Place.list, .filter, .episode(1104), .rating(1104), .comments(1104), .writing(1104), .episode(9)])
  func `is never larger than its terminal`(place: Place) {
    var app = App.sample.at(place)
    app.details[1104] = .sample
    app.comments = [.sample("c-1", on: 1104, "雪の灯台 and more 😱")]
    app.draft.text = "雪の灯台雪の灯台"
    app.lastError = "the lighthouse doesn't answer"
    for columns in [1, 2, 7, 20, 33, 40, 41, 64, 80] {
      for rows in [1, 2, 3, 5, 6, 9, 20] {
        let screen = Screen(state: interface(app), file: "s.json", problems: ["a problem"])
        let lines = screen.lines(size: Size(columns: columns, rows: rows))
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.columns <= columns })
      }
    }
  }
}
