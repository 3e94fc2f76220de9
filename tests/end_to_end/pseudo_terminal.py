"""For tests only: a program at a real pseudo-terminal."""
import fcntl
import os
import pty
import select
import struct
import termios
import time

SECONDS = 60


class Terminal:
    """The program at one end of a pseudo-terminal, the test at the other."""

    def __init__(self, words, environment, columns=80):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.execve(words[0], words, environment)
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.seen = ""
        self.read_to = 0

    def read_some(self, until):
        ready, _, _ = select.select([self.end], [], [], max(until - time.monotonic(), 0))
        if not ready:
            raise AssertionError("nothing more came; so far: %r" % self.seen[self.read_to:])
        try:
            self.seen += os.read(self.end, 65536).decode("utf-8", "replace")
        except OSError:  # the program is gone
            return False
        return True

    def wait_for(self, text):
        """Reads until `text` has come, and returns all since the last wait."""
        until = time.monotonic() + SECONDS
        while text not in self.seen[self.read_to:]:
            if not self.read_some(until):
                raise AssertionError("the program ended; so far: %r" % self.seen[self.read_to:])
        at = self.seen.index(text, self.read_to) + len(text)
        out, self.read_to = self.seen[self.read_to:at], at
        return out

    def send(self, text):
        os.write(self.end, text.encode("utf-8"))

    def leave(self, keys="\x04"):
        """Ctrl-D; all that came until the end, and the exit code."""
        if keys:
            self.send(keys)
        until = time.monotonic() + SECONDS
        while self.read_some(until):
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        return self.seen[self.read_to:], os.waitstatus_to_exitcode(status)
