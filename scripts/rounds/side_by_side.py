"""Calls of a function in processes of their own, several at a time."""
import multiprocessing
import multiprocessing.connection


def side_by_side(function, arguments, jobs):
    """Yields what comes of each call, in order; each is made in a process of its own, so many at a time."""
    context = multiprocessing.get_context("fork")
    waiting, running, results = list(enumerate(arguments)), {}, {}

    def call(sender, words):
        sender.send(function(*words))

    try:
        for number in range(len(arguments)):
            while number not in results:
                while waiting and len(running) < jobs:
                    next_number, words = waiting.pop(0)
                    receiver, sender = context.Pipe(duplex=False)
                    process = context.Process(target=call, args=(sender, words))
                    process.start()
                    sender.close()
                    running[receiver] = (next_number, process)
                for receiver in multiprocessing.connection.wait(list(running)):
                    done, process = running.pop(receiver)
                    try:
                        results[done] = receiver.recv()
                    except EOFError:
                        raise SystemExit("a part of this script failed") from None
                    process.join()
            yield results[number]
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join(20)
