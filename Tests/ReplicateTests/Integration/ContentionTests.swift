import TestSupport
import TestThreads
import Testing

@testable import replicate

/// Several writers at one file, and a lock that somebody else holds.
@Suite(.ownThreads) struct ContentionTests {
  @Test func `of increments started at once none is lost`() throws {
    let place = try Workplace("f", #"{"n": 0}"#)
    // How long each must wait for its turn is the machine's business.
    let commands = try (0..<50).map { _ in try place.start("increment", "--timeout", "100", "f", "/n") }
    let sums = try commands.map { command in
      let run = Binary.Run(try command.end())
      #expect(run.messages == "")
      #expect(run.outcome == .exited(0))
      return run.output
    }
    #expect(Set(sums) == Set((1...50).map { "\($0)\n" }))
    #expect(try place.text(of: "f") == #"{"n": 50}"#)
    #expect(try place.names == ["f"])
  }

  @Test func `writers and an editor that renames over the file lose nothing of each other's`() throws {
    let place = try Workplace("f", #"{"n": 0, "edits": 0}"#)
    // Reads the file, changes one field, and saves; again only when its save came through, as a person would.
    let editor = try RunningCommand(
      [
        "python3", "-c",
        """
        import json, os
        for i in range(1, 21):
            text = open("f").read().replace('"edits": %d' % (i - 1), '"edits": %d' % i)
            open("g", "w").write(text); os.rename("g", "f")
            while json.load(open("f"))["edits"] != i: pass
        """,
      ], in: place.path)
    let writers = try (0..<20).map { _ in try place.start("set", "--timeout", "100", "f", "-p", "/w/x", "1") }
    for writer in writers { #expect(try Binary.Run(writer.end()) == .silent) }
    #expect(try Binary.Run(editor.end()) == .silent)
    #expect(try place.run("get", "f", "/edits") == .printed("20\n"))
    #expect(try place.names == ["f"])
  }

  @Test func `a file that is emptied and filled again all the time is only ever read whole`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let editor = try RunningCommand(
      [
        "python3", "-c",
        """
        import os
        print("begins", flush=True)
        while not os.path.exists("stop"):
            with open("f", "w") as f:
                f.write('{"n": '); f.flush(); f.write('1}')
        """,
      ], in: place.path)
    #expect(try editor.line() == "begins")
    for _ in 1...2 {
      #expect(try place.run("get", "--timeout", "30", "-c", "f") == .printed("{\"n\":1}\n"))
    }
    try place.write("", to: "stop")
    #expect(try Binary.Run(editor.end()) == .silent)
    #expect(try place.names == ["f", "stop"])
  }

  // MARK: The lock

  @Test(arguments: [["set", "/n", "2"], ["increment", "/n"], ["merge", "{}"], ["update", "--", "jq", ".n = 2"]])
  func `a lock that somebody else keeps ends a write in time`(words: [String]) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let holder = try place.holdLock()
    let run = try place.run([words[0], "f", "--timeout", "0.3"] + words.dropFirst())
    let message = "replicate: 1 action is not in 'f': somebody else holds the lock\n"
    #expect(run == .failed(4, message))
    #expect(try place.text(of: "f") == #"{"n": 1}"#)
    #expect(try place.names == ["f"])
    holder.signal(Signals.terminate)
    _ = try holder.end()
  }

  @Test func `a lock that is given back lets the write go on`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let holder = try place.holdLock()
    let write = try place.start("increment", "--timeout", "30", "f", "/n")
    #expect(try place.run("get", "f", "/n") == .printed("1\n"))
    holder.closeInput()
    _ = try holder.end()
    #expect(try Binary.Run(write.end()) == .printed("2\n"))
  }

  @Test(arguments: [["get", "f", "/n"], ["wait", "f", "/n"], ["watch", "-n1", "f", "/n"], ["set", "f", "/n", "1"]])
  func `reading needs no lock`(words: [String]) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let holder = try place.holdLock()
    let run = try place.run(["--timeout", "0.3"] + words)
    #expect(run.outcome == .exited(words[0] == "set" ? 4 : 0))
    holder.closeInput()
    _ = try holder.end()
  }

  // MARK: update

  /// A filter that lets somebody else write before it answers, as often as it says, and counts its runs.
  private static func filter(interruptions: Int) -> [String] {
    let script = """
      read value
      echo run >> runs
      if [ $(wc -l < runs) -le \(interruptions) ]; then timeout 60 "$0" increment f /n >/dev/null; fi
      echo "$value" | jq -c '.n += 100'
      """
    return ["sh", "-c", script, Binary.path]
  }

  @Test(arguments: [(0, 1, "101"), (1, 2, "102"), (2, 3, "103"), (3, 4, "104")])
  func `update runs the filter again if the file moved on`(interruptions: Int, runs: Int, sum: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    #expect(try place.run(["update", "f", "--"] + Self.filter(interruptions: interruptions)) == .silent)
    #expect(try place.text(of: "f") == "{\"n\": \(sum)}")
    #expect(try place.text(of: "runs") == String(repeating: "run\n", count: runs))
  }

  @Test func `the fourth run of a filter is under the lock`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let script = """
      read value
      echo run >> runs
      timeout 20 "$0" increment --timeout 0.2 f /n >> increments 2>&1
      echo "$value" | jq -c '.n += 100'
      """
    #expect(try place.run("update", "f", "--", "sh", "-c", script, Binary.path) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 104}"#)
    #expect(try place.text(of: "runs") == String(repeating: "run\n", count: 4))
    let refusal = "replicate: 1 action is not in 'f': somebody else holds the lock\n"
    #expect(try place.text(of: "increments") == "2\n3\n4\n" + refusal)
  }

  @Test func `a change elsewhere in the document is no reason to run the filter again`() throws {
    let place = try Workplace("f", #"{"n": 1, "m": 1}"#)
    let script = #"echo run >> runs; "$0" increment f /m > /dev/null; jq '. + 100'"#
    #expect(try place.run("update", "f", "/n", "--", "sh", "-c", script, Binary.path) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 101, "m": 2}"#)
    #expect(try place.text(of: "runs") == "run\n")
  }

  @Test(arguments: [
    (["false"], 1, "replicate: 'false' ended with exit code 1; nothing was written\n"),
    (["sh", "-c", "echo 5; exit 3"], 1, "replicate: 'sh' ended with exit code 3; nothing was written\n"),
    (["sh", "-c", "kill -9 $$"], 1, "replicate: 'sh' was ended by signal 9; nothing was written\n"),
    (["./no-such"], 4, "replicate: cannot run './no-such': no such file or directory\n"),
    (["true"], 3, "<COMMAND>:1:1: the text is empty; expected a value\n"),
    (["printf", "{}\\n\\n {}"], 3, "<COMMAND>:3:2: expected the end of the text after the value\n"),
    (["printf", "{\\n  \"n\": tru}"], 3, "<COMMAND>:2:8: expected 'true'\n"),
    (["printf", "\\377"], 3, "<COMMAND>:1:1: invalid UTF-8: unexpected byte 0xFF\n"),
  ])
  func `a filter that fails changes nothing`(command: [String], code: Int32, message: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let before = try place.status(of: "f")
    #expect(try place.run(["update", "f", "--"] + command) == .failed(code, message))
    #expect(try place.status(of: "f") == before)
  }

  @Test func `a filter sees the value on one line, and its messages are passed on`() throws {
    let place = try Workplace("f", "{\n  \"n\": {\n    \"k\": 1.50\n  }\n}")
    let run = try place.run("update", "f", "/n", "--", "sh", "-c", "tee seen; echo note >&2")
    #expect(run == .failed(0, "note\n"))
    #expect(try place.text(of: "seen") == "{\"k\":1.50}\n")
  }

  @Test func `a filter's output is applied as a difference`() throws {
    let place = try Workplace("f", "{\"a\": 1.0,   \"b\": [1, 2,3]}")
    #expect(try place.run("update", "f", "--", "jq", "-S", ".b[1] = 5 | .a = 1") == .silent)
    #expect(try place.text(of: "f") == "{\"a\": 1.0,   \"b\": [1, 5,3]}")
  }

  @Test func `a filter whose pointer leads nowhere isn't run`() throws {
    let place = try Workplace("f", "{}")
    let message = "replicate: '/q' leads nowhere: the root has no member \"q\"\n"
    #expect(try place.run("update", "f", "/q", "--", "touch", "ran") == .failed(1, message))
    #expect(try place.names == ["f"])
  }
}
