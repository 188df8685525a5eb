import RemoteControl

StandardStream.reserveClosed()
Signals.ignoreBrokenPipes()
exitProcess(Program(console: Console()).run(ProcessArguments.words))
