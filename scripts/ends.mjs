// Prints the signal that ends a command, if it arrives before the command sets its own handlers: for example, while packages are installed
// or the command is built and loaded. The command then ends as usual. This file must be imported first and imports nothing.

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, function end() {
    // Another listener handles the signal.
    if (process.listenerCount(signal) > 1) return;
    console.error(`dyno: ended by ${signal}`);
    process.off(signal, end);
    process.kill(process.pid, signal);
  });
}
