import Glibc
import Measuring

let help = """
  What a dispatch costs with each feature of the store on, in units of a bare lock and closure.

      dispatch [--rounds NUMBER] [--only TEXT]… [--patience SECONDS]

  --rounds    how many times each is measured: 200, which takes a minute; 1 is enough to see that it runs
  --only      measures those whose name has the text in it, as for a profiler
  --patience  what is measured while somebody else uses the other half of the core is measured again, for so long at most: 0
  """

var arguments = CommandLine.arguments.dropFirst()
var rounds = 200
var wanted: [String] = []
var patience = 0.0
while let option = arguments.popFirst() {
  switch (option, arguments.popFirst()) {
  case ("--rounds", let value?) where (Int(value) ?? 0) > 0: rounds = Int(value)!
  case ("--only", let value?): wanted.append(value)
  case ("--patience", let value?) where Double(value) != nil: patience = Double(value)!
  case ("--help", nil):
    print(help)
    exit(0)
  default:
    print(help)
    exit(2)
  }
}

let files = Files()
let topics = [
  plain(), items(), reducers(), try middleware(), effects(), subscriptions(), composition(), try routing(),
  try recordings(files), try elsewhere(files),
]
let bare = Bare()
var groups = [(baseline: Subject("bare") { bare.dispatch(.add(1)) }, topics: topics)]
for count in [1, 10, 100] {
  let (baseline, topic) = subscribers(count)
  groups.append((baseline, [topic]))
}
let pace = Pace(patience: patience)
for group in groups {
  let wantedTopics = group.topics.map { $0.only(wanted) }
  if wantedTopics.allSatisfy(\.subjects.isEmpty) { continue }
  for report in await Comparison(with: group.baseline, rounds: rounds, pace: pace).measure(wantedTopics) {
    if !report.measurements.isEmpty { print(report.markdown, terminator: "\n\n") }
  }
}
if wanted.isEmpty || wanted.contains(where: { "a mirrored file".contains($0) }) {
  print(try await mirrored(files, rounds: rounds), terminator: "\n\n")
}
print(
  """
  \(pace.shared) of \(pace.rounds) batches were measured while somebody else used the processor; \(pace.repeated) others were \
  measured again, which took \(Int(pace.waited)) s.
  """)
try await files.remove()
