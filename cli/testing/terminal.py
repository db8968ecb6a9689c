"""terminal.py COLUMNS ROWS COMMAND...: runs a command on a terminal of its own. What comes in is typed; "\x00COLUMNS\n" resizes it."""
import fcntl, os, pty, select, signal, struct, sys, termios


def resize(columns, rows):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
resize(int(sys.argv[1]), int(sys.argv[2]))
inputs = [master, 0]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            inputs.remove(0)
            continue
        if data[:1] == b"\x00":
            columns, _, data = data[1:].partition(b"\n")
            resize(int(columns), 24)
            os.kill(pid, signal.SIGWINCH)
        os.write(master, data)
    if master in ready:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        os.write(1, data)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
