"""An instance as a process, and what it is sent: JSON-RPC, a message a line."""
import json
import subprocess


def attach(binary, path, environment, *options):
    return subprocess.Popen(
        [binary, "attach", path, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment)


def request(number, method, parameters):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
    return json.dumps(message).encode() + b"\n"
