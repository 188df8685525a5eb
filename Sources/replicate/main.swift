import RemoteControl

StandardStream.reserveClosed()
Signals.ignoreBrokenPipes()
exitProcess(Program().run(ProcessArguments.words))
