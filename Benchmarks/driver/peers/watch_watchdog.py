"""watch_watchdog.py FOLDER NAME"""

import os
import sys
import threading

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from reading import end_with_input, look

path = os.path.join(*sys.argv[1:3])


class Handler(FileSystemEventHandler):
    def on_any_event(self, event):
        # Reading it is an event as well.
        if event.event_type not in ("opened", "closed_no_write") and path in (event.src_path, event.dest_path):
            look(path)


observer = Observer()
observer.schedule(Handler(), sys.argv[1])
observer.start()
end_with_input()
print("ready", flush=True)
threading.Event().wait()
