"""Who kills instances, and stops them and lets them go on."""
import signal
import threading


def lock_holders():
    with open("/proc/locks") as file:
        return {int(words[4]) for words in map(str.split, file) if len(words) > 5 and words[1] == "FLOCK"}


class Menace:
    """Kills instances, and stops them for a while, by preference while they hold the lock."""

    def __init__(self, instances, rng):
        self.instances, self.rng = instances, rng
        self.stops = self.held = 0
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.ending.wait(self.rng.uniform(0.05, 0.25)):
            instance = self.rng.choice(self.instances)
            for attempt in range(40):
                instance.send_signal(signal.SIGSTOP)
                is_holder = instance.process.pid in lock_holders()
                if is_holder or attempt == 39:
                    break
                instance.send_signal(signal.SIGCONT)
                if self.ending.wait(self.rng.uniform(0, 0.002)):
                    return
            self.stops += 1
            self.held += is_holder
            self.ending.wait(self.rng.uniform(0.005, 0.05) if self.rng.random() < 0.8 else self.rng.uniform(0.05, 0.4))
            if self.rng.random() < 0.5:
                instance.kill()
            else:
                instance.send_signal(signal.SIGCONT)

    def close(self):
        self.ending.set()
        self.thread.join()
        for instance in self.instances:
            instance.send_signal(signal.SIGCONT)
