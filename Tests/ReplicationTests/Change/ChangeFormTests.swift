import Replication
import StateJSON
import Testing

@Suite struct ChangeFormTests {
  @Test(arguments: [
    #"{"was":1.0,"is":[{}]}"#, #"{"was":null}"#, #"{"is":null}"#, #"{"in":{}}"#, #"{"in":{"":{"add":-1e1}}}"#,
    #"{"by":"","was":[],"is":[],"of":[]}"#,
    #"{"by":"id","was":[1.0,"1",1.5],"is":["1",1,9],"of":[["1",{"is":{"in":1}}],[10e-1,{"add":1}]]}"#,
  ])
  func `a form is read and written as it is`(form: String) throws {
    #expect(try SparseChange(JSONValue(parsing: form)).value.description == form)
  }

  /// A form that is none, and what is said about it.
  static let malformed = [
    ("1", "at the root: expected a change, found the number 1"),
    ("null", "at the root: expected a change, found null"),
    ("[]", "at the root: expected a change, found an array"),
    ("{}", #"at the root: expected "was", "is", "in", "by" or "add", found no member"#),
    // Members of no form, or of several.
    (#"{"is":1,"iz":2}"#, #"at /iz: expected no member but "was", "is""#),
    (#"{"a/b":2}"#, #"at /a~1b: expected no member but "was", "is""#),
    (#"{"of":[]}"#, #"at /of: expected no member but "was", "is""#),
    (#"{"in":{},"was":1}"#, #"at /was: expected no member but "in""#),
    (#"{"by":"id","was":[],"is":[],"of":[],"in":{}}"#, #"at /by: expected no member but "in""#),
    (#"{"by":"id","was":[],"is":[],"of":[],"to":1}"#, #"at /to: expected no member but "by", "was", "is", "of""#),
    (#"{"add":1,"is":2}"#, #"at /is: expected no member but "add""#),
    // Members of another kind.
    (#"{"in":[]}"#, "at /in: expected changes of members, found an array"),
    (#"{"in":{"a":{"in":{"b/c":5}}}}"#, "at /in/a/in/b~1c: expected a change, found the number 5"),
    (#"{"add":"1"}"#, #"at /add: expected a number, found the string "1""#),
    (#"{"by":1,"was":[],"is":[],"of":[]}"#, "at /by: expected a string, found the number 1"),
    (#"{"by":"id","is":[],"of":[]}"#, "at /was: expected a list of ids, found nothing"),
    (#"{"by":"id","was":[],"is":{},"of":[]}"#, "at /is: expected a list of ids, found an object"),
    (#"{"by":"id","was":[],"is":[]}"#, "at /of: expected a list of ids and changes, found nothing"),
    // Ids.
    (#"{"by":"id","was":[1,true],"is":[],"of":[]}"#, "at /was/1: expected a string or a number, found true"),
    (#"{"by":"id","was":[],"is":[[]],"of":[]}"#, "at /is/0: expected a string or a number, found an array"),
    (
      #"{"by":"id","was":[1,"1",1.0],"is":[],"of":[]}"#,
      "at /was/2: expected an id that isn't there yet, found the number 1.0"
    ),
    (
      #"{"by":"id","was":[],"is":["a","b","a"],"of":[]}"#,
      #"at /is/2: expected an id that isn't there yet, found the string "a""#
    ),
    // Changes of elements.
    (
      #"{"by":"id","was":[],"is":[],"of":[{}]}"#, "at /of/0: expected an array of an id and its change, found an object"
    ),
    (
      #"{"by":"id","was":[],"is":[],"of":[[1]]}"#, "at /of/0: expected an array of an id and its change, found an array"
    ),
    (
      #"{"by":"id","was":[1],"is":[],"of":[[1,{"is":2},3]]}"#,
      "at /of/0: expected an array of an id and its change, found an array"
    ),
    (
      #"{"by":"id","was":[1],"is":[],"of":[[null,{"is":2}]]}"#, "at /of/0/0: expected a string or a number, found null"
    ),
    (
      #"{"by":"id","was":[1],"is":[2],"of":[[2,{"is":2}],["1",{"is":2}]]}"#,
      #"at /of/1/0: expected an id of "was" or "is", found the string "1""#
    ),
    (
      #"{"by":"id","was":[1],"is":[1],"of":[[1,{"is":2}],[1e0,{"is":2}]]}"#,
      "at /of/1/0: expected an id that isn't there yet, found the number 1e0"
    ),
    (
      #"{"by":"id","was":[1],"is":[1],"of":[[1,{}]]}"#,
      #"at /of/0/1: expected "was", "is", "in", "by" or "add", found no member"#
    ),
    (
      #"{"in":{"l":{"by":"id","was":["x"],"is":[],"of":[["x",{"in":{"n":{"add":null}}}]]}}}"#,
      "at /in/l/of/0/1/in/n/add: expected a number, found null"
    ),
  ]

  @Test(arguments: malformed)
  func `what is no change is refused with its place`(form: String, message: String) throws {
    let value = try JSONValue(parsing: form)
    let error = try #require(throws: JSONDecodingError.self) { try SparseChange(value) }
    #expect(error.description == message)
  }

  @Test(arguments: [("{}", "missing"), (#"{"by":"id"}"#, "missing"), (#"{"add":null}"#, "invalid"), ("1", "invalid")])
  func `what is missing is told from what is wrong`(form: String, code: String) throws {
    let value = try JSONValue(parsing: form)
    let error = try #require(throws: JSONDecodingError.self) { try SparseChange(value) }
    #expect(error.code.name == code)
  }

  /// Most are refused. The others say what no difference says: elements that changed and are in another place or gone, members
  /// that came twice, ids that change.
  @Test func `whatever is read can be written, remembered and done`() throws {
    var read = 0
    for seed in 0..<6_000 as Range<UInt64> {
      var random = RandomDocuments(seed: seed)
      let base = random.document()
      guard let form = SparseChange(from: base, to: random.edited(base))?.value else { continue }
      let strange = random.edited(form)
      guard strange != form, let change = try? SparseChange(strange) else { continue }
      #expect(change.value.isIdentical(to: strange), "seed \(seed): \(strange)")
      var ghosts = Ghosts()
      ghosts.remember(change)
      for value in [base, random.edited(base), random.document(), nil] {
        guard let result = change.applying(to: value, ghosts: ghosts) else { continue }
        #expect(try JSONValue(parsing: result.bytes()).isIdentical(to: result), "seed \(seed): \(strange)")
      }
      read += 1
    }
    #expect(read > 500)
  }

  /// As deep as a parser goes, for what walks a change recursively.
  @Test func `the deepest form there is can be read, done, remembered and written`() throws {
    func nested(_ opening: String, _ levels: Int, _ inner: String, _ closing: String) -> String {
      String(repeating: opening, count: levels) + inner + String(repeating: closing, count: levels)
    }
    let limits = JSONLimits(depth: JSONLimits.maximumDepth, size: JSONLimits.default.size)
    let levels = JSONLimits.maximumDepth / 2 - 1
    let text = nested(#"{"in":{"a":"#, levels, #"{"was":[]}"#, "}}")
    let change = try SparseChange(JSONValue(parsing: text, limits: limits))
    #expect(change.value.description == text)
    #expect(change.cost == 3)
    var ghosts = Ghosts()
    ghosts.remember(change)
    #expect(!ghosts.isEmpty)

    let value = try JSONValue(parsing: nested(#"{"b":1,"a":"#, levels, "[]", "}"))
    let result = change.applying(to: value, ghosts: ghosts)
    #expect(result?.description == nested(#"{"b":1,"a":"#, levels - 1, #"{"b":1}"#, "}"))
  }
}
