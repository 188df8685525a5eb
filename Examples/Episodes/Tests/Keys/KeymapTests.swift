import StoreCore
import TerminalScreen
import Testing

@testable import Episodes

@Suite struct `The keymap` {
  @Test func `goes up and down the list, and stops at its ends`() {
    let list = interface(.sample)
    #expect(Keymap.commands(for: .up, list) == [])
    #expect(Keymap.commands(for: .down, list) == [.dispatch(.chooseEpisode(1103))])
    let end = interface(.sample) { $0.episode = 1104 }
    #expect(Keymap.commands(for: .character("j"), end) == [])
    #expect(Keymap.commands(for: .character("k"), end) == [.dispatch(.chooseEpisode(1103))])
  }

  @Test func `acts on the episode that the cursor is on`() {
    let list = interface(.sample) { $0.episode = 1103 }
    #expect(Keymap.commands(for: .enter, list) == [.app(.route(.push("/show/1103")))])
    #expect(Keymap.commands(for: .character("w"), list) == [.app(.episodes(.episode(1103, .watched(true))))])
    // It isn't listed any more, so it is the first that is.
    let gone = interface(.sample) { $0.episode = 9999 }
    #expect(Keymap.commands(for: .enter, gone) == [.app(.route(.push("/show/1101")))])
  }

  @Test func `does nothing in an empty list`() {
    for key in [Key.up, .down, .enter, .character("w"), .escape] {
      #expect(Keymap.commands(for: key, interface(App())) == [])
    }
  }

  @Test func `types into the search line, where letters command nothing`() {
    var app = App.sample
    app.search.isOpen = true
    app.search.query = "n"
    #expect(Keymap.commands(for: .character("q"), interface(app)) == [.dispatch(.type("nq", over: "n"))])
    let typing = interface(app) { $0.typing = .init(text: "neb", over: "n") }
    #expect(Keymap.commands(for: .backspace, typing) == [.dispatch(.type("ne", over: "n"))])
    #expect(Keymap.commands(for: .enter, typing) == [.app(.search(.submit("neb")))])
    #expect(Keymap.commands(for: .escape, typing) == [.app(.search(.cancel))])
    // Somebody else has searched for something meanwhile.
    let overtaken = interface(app) { $0.typing = .init(text: "neb", over: "") }
    #expect(Keymap.commands(for: .enter, overtaken) == [.app(.search(.submit("n")))])
  }

  @Test(
    arguments: [
      (.character("7"), .rate(7)), (.left, .adjustRating(by: -0.5)), (.right, .adjustRating(by: 0.5)),
      (.character("0"), .clearRating),
    ] as [(Key, EpisodeAction)])
  func `rates`(key: Key, action: EpisodeAction) {
    let sheet = interface(App.sample.at(.rating(1104)))
    #expect(Keymap.commands(for: key, sheet) == [.app(.episodes(.episode(1104, action)))])
  }

  @Test func `sets the filter row by row`() {
    let sheet = { (row: Int) in interface(App.sample.at(.filter)) { $0.filterRow = row } }
    func change(_ action: FilterAction) -> [Command] { [.app(.search(.filter(action)))] }
    #expect(Keymap.commands(for: .enter, sheet(0)) == change(.season(1, true)))
    #expect(Keymap.commands(for: .character(" "), sheet(1)) == change(.season(2, true)))
    #expect(Keymap.commands(for: .left, sheet(2)) == change(.adjustRating(by: -0.5)))
    #expect(Keymap.commands(for: .enter, sheet(3)) == change(.onlyUnwatched(true)))
    // A row that is there no more, as episodes have gone.
    #expect(Keymap.commands(for: .enter, sheet(99)) == change(.onlyUnwatched(true)))
    #expect(Keymap.commands(for: .down, sheet(3)) == [.dispatch(.chooseFilter(row: 3))])
  }

  @Test func `writes and posts comments`() {
    var app = App.sample.at(.comments(1104))
    app.comments = [.sample("c-1", on: 1104, "Who?"), .sample("c-2", on: 1101, "elsewhere")]
    #expect(
      Keymap.commands(for: .character("a"), interface(app))
        == [.app(.draft(.begin(on: 1104, replyTo: "c-1"))), .app(.route(.push("/write")))])
    #expect(Keymap.commands(for: .character("l"), interface(app)) == [.app(.comments(.like("c-1")))])
    app = app.at(.writing(1104))
    #expect(Keymap.commands(for: .enter, interface(app)) == [])
    #expect(Keymap.commands(for: .character("q"), interface(app)) == [.app(.draft(.append("q")))])
    app.draft.text = "You?"
    #expect(Keymap.commands(for: .enter, interface(app)) == [.post(app.draft)])
  }

  @Test(arguments: [Place.list, .filter, .episode(1104), .rating(1104), .comments(1104)])
  func `quits and retries wherever no text is typed`(place: Place) {
    let state = interface(App.sample.at(place))
    #expect(Keymap.commands(for: .character("q"), state) == [.quit])
    #expect(Keymap.commands(for: .character("r"), state).first == .app(.loading(.retry)))
    #expect(Keymap.commands(for: .character("x"), state) == [.app(.report(nil))])
  }

  @Test func `goes back the way it came`() {
    let way: [(Place, Command)] = [
      (.writing(1104), .app(.route(.pop("/write")))), (.comments(1104), .app(.route(.pop("/comments")))),
      (.rating(1104), .app(.route(.pop("/rate")))), (.filter, .app(.route(.pop("/filter")))),
      (.episode(1104), .app(.route(.pop("/show/1104")))),
    ]
    for (place, command) in way {
      #expect(Keymap.commands(for: .escape, interface(App.sample.at(place))).last == command)
    }
  }

  @Test func `finds a way also from a route that leads nowhere`() {
    var app = App.sample
    app.route = "/episodes/nowhere"
    let list = interface(app) { $0.episode = 1103 }
    #expect(Keymap.commands(for: .enter, list) == [.app(.route(.goto("/episodes/show/1103")))])
    app.route = "/episodes/show/1104/nowhere"
    #expect(Keymap.commands(for: .escape, interface(app)).last == .app(.route(.goto("/episodes"))))
  }
}
