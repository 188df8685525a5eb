"""The Swift side of a comparison: a program that is built first, and answers a line with a line."""
import json
import os
import subprocess
import sys

from support.arguments import ROOT


class Probe:
    def __init__(self, product):
        build = ["swift", "build", "--package-path", ROOT, "--product", product]
        subprocess.run(build, check=True, stdout=sys.stderr)
        path = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
        self.program = os.path.join(path, product)

    def ask_all(self, requests, **parsing):
        """All answers, in order; requests are sent as one batch."""
        text = "".join(json.dumps(request) + "\n" for request in requests).encode()
        output = subprocess.run([self.program], input=text, stdout=subprocess.PIPE, check=True).stdout
        answers = [json.loads(line, **parsing) for line in output.decode().split("\n")[:-1]]
        assert len(answers) == len(requests), "the probe stopped early"
        return answers
