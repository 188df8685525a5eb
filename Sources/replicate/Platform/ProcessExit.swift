import Glibc

/// Ends the process. The corresponding C function is `exit`.
func exitProcess(_ code: ExitCode) -> Never { exit(code.rawValue) }
