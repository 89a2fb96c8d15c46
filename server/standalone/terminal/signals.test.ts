import { EventEmitter } from 'node:events';
import { onSignal } from './signals';

const callsFor = (...signals: string[]): string[] => {
  const source = new EventEmitter();
  const calls: string[] = [];
  const release = onSignal(
    (signal) => calls.push(`first ${signal}`),
    (signal) => calls.push(`again ${signal}`),
    source,
  );
  for (const signal of signals) source.emit(signal, signal);
  release();
  expect(source.eventNames()).toEqual([]);
  return calls;
};

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s ends a command', (signal) => {
  expect(callsFor(signal)).toEqual([`first ${signal}`]);
});

test('a second signal ends it immediately, except SIGHUP, which a closed terminal sends twice', () => {
  expect(callsFor('SIGHUP', 'SIGHUP', 'SIGHUP')).toEqual(['first SIGHUP']);
  expect(callsFor('SIGTERM', 'SIGHUP')).toEqual(['first SIGTERM']);
  expect(callsFor('SIGHUP', 'SIGTERM')).toEqual(['first SIGHUP', 'again SIGTERM']);
  expect(callsFor('SIGINT', 'SIGINT')).toEqual(['first SIGINT', 'again SIGINT']);
});
