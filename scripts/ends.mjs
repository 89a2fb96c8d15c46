// Says by which signal a command ended while nothing of it answered signals itself: packages are installed, it is built and
// loaded, Elasticsearch starts. It ends as it would have without. Imported first; imports nothing.

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, function end() {
    // Whoever else listens knows what is under way.
    if (process.listenerCount(signal) > 1) return;
    console.error(`dyno: ended by ${signal}`);
    process.off(signal, end);
    process.kill(process.pid, signal);
  });
}
