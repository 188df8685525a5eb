import Replication
import StateJSON
import Testing

@Suite struct ChangeCostTests {
  @Test(arguments: [
    ("1", 1), ("[]", 1), ("{}", 1), ("[1,[2,3]]", 5), (#"{"a":null,"b":{"c":"x"}}"#, 4),
  ])
  func `the size of a value counts all values in it`(value: String, size: Int) throws {
    #expect(try JSONValue(parsing: value).size == size)
  }

  @Test(arguments: [
    (#"{"is":1}"#, 1), (#"{"is":[1,2]}"#, 3), (#"{"was":[1,2]}"#, 9), (#"{"was":1,"is":[2]}"#, 5), (#"{"add":7}"#, 0),
    (#"{"in":{"a":{"was":1},"b":{"in":{"c":{"is":1}}}}}"#, 4),
    // Elements changed inside, one that came, one that went, and a move.
    (#"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"a":{"was":0,"is":1}}}]]}"#, 4),
    (#"{"by":"id","was":[1],"is":[1,2],"of":[[2,{"is":{"id":2}}]]}"#, 3),
    (#"{"by":"id","was":[1],"is":[],"of":[[1,{"was":{"id":1}}]]}"#, 7),
    (#"{"by":"id","was":[1,2],"is":[2,1],"of":[]}"#, 1),
    (#"{"by":"id","was":[1,2.0],"is":[1.0,2],"of":[[2,{"in":{"a":{"is":1}}}]]}"#, 1),
  ])
  func `what went counts threefold, and elements in another order once`(change: String, cost: Int) throws {
    #expect(try SparseChange(JSONValue(parsing: change)).cost == cost)
  }
}
