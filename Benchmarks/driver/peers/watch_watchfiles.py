"""watch_watchfiles.py FOLDER NAME [STEP DEBOUNCE]: milliseconds; its own settings if none are given."""

import os
import sys

from watchfiles import watch

from reading import end_with_input, look

folder, name = sys.argv[1:3]
settings = dict(step=int(sys.argv[3]), debounce=int(sys.argv[4])) if len(sys.argv) > 3 else {}
path = os.path.join(folder, name)
end_with_input()
print("ready", flush=True)
for changes in watch(folder, watch_filter=lambda change, changed: changed == path, **settings):
    look(path)
