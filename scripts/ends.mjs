// Prints the signal that ends a command before the command sets handlers, such as while packages are installed or it is built and loaded.
// The command then ends as usual. Must be imported first; imports nothing.

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, function end() {
    // Another listener handles the signal.
    if (process.listenerCount(signal) > 1) return;
    console.error(`dyno: ended by ${signal}`);
    process.off(signal, end);
    process.kill(process.pid, signal);
  });
}
