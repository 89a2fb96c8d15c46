import { EventEmitter } from 'node:events';
import { onSignal } from './signals';

const heard = (...signals: string[]): string[] => {
  const source = new EventEmitter();
  const told: string[] = [];
  const release = onSignal(
    (signal) => told.push(`first ${signal}`),
    (signal) => told.push(`again ${signal}`),
    source,
  );
  for (const signal of signals) source.emit(signal, signal);
  release();
  expect(source.eventNames()).toEqual([]);
  return told;
};

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('%s ends a command', (signal) => {
  expect(heard(signal)).toEqual([`first ${signal}`]);
});

test('a second signal ends it immediately, except SIGHUP, which a closed terminal sends twice', () => {
  expect(heard('SIGHUP', 'SIGHUP', 'SIGHUP')).toEqual(['first SIGHUP']);
  expect(heard('SIGTERM', 'SIGHUP')).toEqual(['first SIGTERM']);
  expect(heard('SIGHUP', 'SIGTERM')).toEqual(['first SIGHUP', 'again SIGTERM']);
  expect(heard('SIGINT', 'SIGINT')).toEqual(['first SIGINT', 'again SIGINT']);
});
