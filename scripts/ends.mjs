// Prints the signal that ends a command before the command has set its own signal handlers: while packages are installed, or while the
// command is built or loaded. The command then ends as usual. This file must be imported first, and imports nothing.

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, function end() {
    // The command has set its own handler, which handles the signal.
    if (process.listenerCount(signal) > 1) return;
    console.error(`dyno: ended by ${signal}`);
    process.off(signal, end);
    process.kill(process.pid, signal);
  });
}
