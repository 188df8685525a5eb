/// What the service has. The same show as in `sample-state.json`, with more of it.
enum FakeShow {
  static let episodes = [
    episode(1101, 1, 1, "Nebel", "2024-10-03", 52, ["pilot", "mystery"]),
    episode(1102, 1, 2, "Was die Möwen wissen", "2024-10-10", 49, ["mystery"]),
    episode(1103, 1, 3, "雪の灯台", "2024-10-17", 51, []),
    episode(1104, 2, 1, "Ein Licht, zwei Schatten", "2026-01-15", 55, ["season premiere"]),
    episode(1105, 2, 2, "Das Café am Ende der Mole", "2026-01-22", 48, []),
    episode(1106, 2, 3, "Funkstille 📻", "2026-01-29", 50, ["mystery"]),
    episode(1107, 2, 4, "Østergårds Brief", "2026-02-05", 53, []),
    episode(1108, 2, 5, "Die längste Nacht", "2026-02-12", 61, ["finale"]),
  ]

  static let details: [Episode.ID: Details] = [
    1101: details(
      "Im dichtesten Nebel seit dreißig Jahren läuft ein Frachter auf Grund. An Bord ist niemand.",
      by: ["Aino Lehtovaara"], [("Ólafur Þórsson", "Henrik")]),
    1102: details(
      "Henrik zählt die Möwen. Es ist eine zu viel, und sie trägt einen Ring mit seinem Namen.",
      by: ["Søren Bruun"], [("Ólafur Þórsson", "Henrik")]),
    1103: details(
      "Der erste Schnee schneidet die Insel ab. Im Lampenraum brennt ein Licht, das niemand angezündet hat.",
      by: ["Aino Lehtovaara"], [("Ólafur Þórsson", "Henrik"), ("Mei Tanaka", "Yuki")]),
    1104: details(
      "Zwei Jahre später kehrt Yuki zurück.\nDer Leuchtturm ist verkauft.",
      by: ["Aino Lehtovaara", "Søren Bruun"], [("Mei Tanaka", "Yuki")]),
    1105: details(
      "Im Café sitzt jeden Abend derselbe Gast. Er bestellt für zwei.",
      by: ["Søren Bruun"], [("Mei Tanaka", "Yuki"), ("Ida Krogh", "Die Wirtin")]),
    1106: details(
      "Das Funkgerät schweigt. Dann antwortet es auf eine Frage, die niemand gestellt hat.",
      by: ["Aino Lehtovaara"], [("Mei Tanaka", "Yuki")]),
    1107: details(
      "Ein Brief, vierzig Jahre unterwegs, an eine Adresse, die es noch nicht gibt.",
      by: ["Aino Lehtovaara"], [("Mei Tanaka", "Yuki"), ("Per Østergård", "Der Bote")]),
    1108: details(
      "Die Sonne geht nicht auf. Zwei Lichter auf dem Meer, und nur eines davon ist ein Schiff.",
      by: ["Aino Lehtovaara", "Søren Bruun"], [("Ólafur Þórsson", "Henrik"), ("Mei Tanaka", "Yuki")]),
  ]

  static let comments = [
    comment("c-501", 1103, "Zoë", "Dieses Ende! 😱", "2026-03-14T09:31:07Z", 12),
    comment(
      "c-502", 1103, "nils_h", "The lamp was lit from the *inside*, watch 41:20 again.", "2026-03-14T10:02:44Z", 3,
      replyTo: "c-501"),
    comment("c-601", 1101, "marit", "Best pilot in years.", "2024-10-04T20:11:00Z", 7),
    comment("c-602", 1104, "雪", "二年ぶり！待っていました 🎉", "2026-01-15T21:40:12Z", 5),
    comment("c-603", 1104, "nils_h", "Who sold it? And to whom?", "2026-01-15T22:03:55Z", 2, replyTo: "c-602"),
    comment("c-604", 1107, "marit", "Bring tissues.", "2026-02-06T08:15:30Z", 9),
  ]

  private static func episode(
    _ id: Episode.ID, _ season: Int, _ number: Int, _ title: String, _ airedOn: String, _ minutes: Int,
    _ tags: [String]
  ) -> Episode {
    Episode(
      id: id, season: season, number: number, title: title, airedOn: airedOn, minutes: minutes, rating: nil,
      tags: tags)
  }

  private static func details(
    _ summary: String, by directors: [String], _ cast: [(actor: String, role: String)]
  ) -> Details {
    Details(summary: summary, directors: directors, cast: cast.map { Details.Part(actor: $0.actor, role: $0.role) })
  }

  private static func comment(
    _ id: Comment.ID, _ episode: Episode.ID, _ author: String, _ text: String, _ postedAt: String, _ likes: Int,
    replyTo: Comment.ID? = nil
  ) -> Comment {
    Comment(
      id: id, episode: episode, author: author, text: text, postedAt: postedAt, likes: likes, replyTo: replyTo)
  }
}
