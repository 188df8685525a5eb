import Documents
import Glibc
import Measuring

let help = """
  What StateJSON costs, in units of what it is compared with.

      json [--rounds NUMBER] [--only TEXT]… [--patience SECONDS] [--json] FILE…
      json --document BYTES
      json --memory FILE

  --rounds     how many times each is measured: 20
  --only       measures those whose name has the text in it, as for a profiler
  --patience   what is measured while somebody else uses the other half of the core is measured again, for so long at most: 0
  --json       prints a JSON text instead of tables
  --document   prints a document of about so many bytes, always the same
  --memory     prints how many bytes of memory a text takes as a value, and as a document without one, and how many it has
  """

var arguments = CommandLine.arguments.dropFirst()
var rounds = 20
var wanted: [String] = []
var patience = 0.0
var isForPrograms = false
var paths: [String] = []
while let word = arguments.popFirst() {
  switch word {
  case "--rounds":
    guard let value = arguments.popFirst().flatMap(Int.init), value > 0 else { stop(2) }
    rounds = value
  case "--only":
    guard let text = arguments.popFirst() else { stop(2) }
    wanted.append(text)
  case "--patience":
    guard let value = arguments.popFirst().flatMap(Double.init) else { stop(2) }
    patience = value
  case "--json": isForPrograms = true
  case "--document":
    guard let bytes = arguments.popFirst().flatMap(Int.init) else { stop(2) }
    print(String(decoding: Catalogue.text(bytes: bytes), as: UTF8.self), terminator: "")
    exit(0)
  case "--memory":
    guard let path = arguments.popFirst() else { stop(2) }
    let (value, document, text) = try memoryOfParsed(path)
    print(value, document, text)
    exit(0)
  case "--help": stop(0)
  default: paths.append(word)
  }
}
guard !paths.isEmpty else { stop(2) }

let pace = Pace(patience: patience)
var results: [String] = []
for path in paths {
  let subjects = try Subjects(path)
  for comparison in subjects.comparisons {
    let topic = Topic(comparison.name, [comparison.subject]).only(wanted)
    if topic.subjects.isEmpty { continue }
    for report in await Comparison(with: comparison.baseline, rounds: rounds, pace: pace).measure([topic]) {
      guard let measured = report.measurements.first else { continue }
      let (ratio, nanoseconds) = (measured.ratio, measured.nanoseconds)
      if isForPrograms {
        results.append(
          #"{"file":"\#(path)","bytes":\#(subjects.text.count),"name":"\#(comparison.name)","against":"#
            + #""\#(comparison.baseline.name)","nanoseconds":\#(nanoseconds.median),"#
            + #""ratio":[\#(ratio.low),\#(ratio.median),\#(ratio.high)]}"#)
      } else {
        print(report.markdown, terminator: "\n\n")
      }
    }
  }
}
if isForPrograms {
  print(
    """
    {"results":[\(results.joined(separator: ",\n"))],
    "pace":{"rounds":\(pace.rounds),"shared":\(pace.shared),"repeated":\(pace.repeated),"waited":\(pace.waited)}}
    """)
}

func stop(_ code: Int32) -> Never {
  print(help)
  exit(code)
}
