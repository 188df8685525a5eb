"""Syncthing on one machine, which keeps folders in sync with those of its peers, and talks to nobody else."""
import os
import xml.etree.ElementTree as xml

from support import places
from machines.engine import Engine
from machines.world import Bridge

PORT = 22000

# Nobody else is looked for, told, or asked. What waits for minutes elsewhere waits for seconds.
OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false",
    "natEnabled": "false", "stunKeepaliveStartS": "0", "crashReportingEnabled": "false", "urAccepted": "-1",
    "autoUpgradeIntervalH": "0", "announceLANAddresses": "false", "startBrowser": "false", "setLowPriority": "false",
    "reconnectionIntervalS": "1", "minHomeDiskFree": "0", "listenAddress": f"tcp://0.0.0.0:{PORT}",
}
# A file is looked at once nobody has written to it for half of the delay, and after a minute otherwise; so those that
# are written to all the time are found by going through the folder.
FOLDER = {"fsWatcherEnabled": "true", "type": "sendreceive"}
FOLDER_DETAILS = {"maxConflicts": "10", "minDiskFree": "0", "pullerPauseS": "1", "disableFsync": "true"}


class Syncthing(Engine):
    """Syncthing, started, stopped and killed."""

    name = "Syncthing"

    def __init__(self, machine, delay):
        super().__init__(machine)
        self.delay = delay
        self.home = os.path.join(machine.folder, "engine")
        done = machine.do("syncthing", "generate", f"--home={self.home}", "--no-default-folder", "--skip-port-probing")
        if done.returncode != 0:
            raise places.Unavailable(f"syncthing: {(done.stdout + done.stderr).strip()[-200:]}")
        self.config = os.path.join(self.home, "config.xml")
        self.identifier = xml.parse(self.config).getroot().find("device").get("id")

    def configure(self, folders, engines):
        """Has it share folders, by their names, with others; each machine has them in its own place."""
        root = xml.parse(self.config)
        configuration = root.getroot()
        for element in configuration.findall("device") + configuration.findall("folder"):
            configuration.remove(element)
        for engine in engines:
            device = xml.SubElement(configuration, "device", id=engine.identifier, name=engine.machine.name)
            xml.SubElement(device, "address").text = f"tcp://{Bridge.address(engine.machine.number)}:{PORT}"
        for name in folders:
            path = self.place(name)
            os.makedirs(path, exist_ok=True)
            folder = xml.SubElement(
                configuration, "folder", id=name, label=name, path=path, fsWatcherDelayS=str(self.delay),
                rescanIntervalS=str(2 * self.delay), **FOLDER)
            for engine in engines:
                xml.SubElement(folder, "device", id=engine.identifier)
            for key, value in FOLDER_DETAILS.items():
                xml.SubElement(folder, key).text = value
        configuration.find("gui").set("enabled", "false")
        options = configuration.find("options")
        for key, value in OPTIONS.items():
            options.find(key).text = value
        root.write(self.config)

    def start(self):
        # Without the process that would start it again.
        self.machine.environment.update(STMONITORED="yes", STNOUPGRADE="1")
        self.begin("syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade")
