/** Keys of a definition that several executors share: their schemas and their fields in the editor's form. */
import * as z from 'zod';
import type { ListField, NumberField, Text, TextField, Written } from '../fields/form';
import { count, duration, wholeSeconds } from '../fields/schema';
import { durationMs } from '../units/duration';
import { formatNumber } from '../units/format';

/** Maximum rate in a definition, in requests per second. */
export const MOST_PER_SECOND = 1_000_000;

/** Maximum number of clients of a task. */
export const MOST_CLIENTS = 10_000;

export const clients = (least = 1) => count(least, MOST_CLIENTS);

/**
 * Returns the schema for the maximum number of requests in flight. While this number is in flight, a due request waits, and its latency
 * includes the wait. `usual`: default of the maximum.
 */
export const maxClients = (usual = 1000) => clients().default(usual);

export const maxClientsField = (usual = 1000): NumberField => ({
  kind: 'number',
  key: 'max-clients',
  min: 1,
  placeholder: String(usual),
  label: { id: 'dyno.editor.executor.maxClients', text: 'Most requests in flight' },
});

export const thinkTime = () => duration().default('0ms');

export const THINK_TIME_FIELD: TextField = {
  kind: 'text',
  key: 'think-time',
  placeholder: '0ms',
  label: { id: 'dyno.editor.executor.think', text: 'Pause between requests' },
};

export const START_FIELD: NumberField = {
  kind: 'number',
  key: 'start',
  min: 0,
  step: 'any',
  placeholder: '0',
  label: { id: 'dyno.editor.executor.start', text: 'Begins with' },
};

/** Returns the schema of a stage of a ramping load. `most`: maximum of its value (clients, or requests per second). */
export const stage = <Key extends string>(key: Key, most: number) =>
  z.strictObject({ [key]: z.number().min(0).max(most), over: wholeSeconds() } as Record<Key, z.ZodNumber> & {
    /** Duration of the stage. At its end, the load has the value of the stage. */
    over: z.ZodString;
  });

/**
 * Returns the form field for the stages of a ramping load. `reaches`: key of the value that a stage reaches, such as `clients`. `label`:
 * label of this value.
 */
export const stagesField = (reaches: string, label: Text): ListField => ({
  kind: 'list',
  key: 'stages',
  label: { id: 'dyno.editor.stages.title', text: 'Stages' },
  hidesLabel: true,
  inLine: true,
  keepsOne: true,
  item: {
    name: { id: 'dyno.editor.stages.name', text: 'Stage {number}' },
    remove: { id: 'dyno.editor.stages.remove', text: 'Remove stage {number}' },
  },
  adds: [
    {
      text: { id: 'dyno.editor.stages.add', text: 'Add stage' },
      item: (list) => {
        const { [reaches]: reached, over = '2m' } = Object(list.at(-1)) as Written;
        return { [reaches]: typeof reached === 'number' ? reached * 2 : 1, over };
      },
    },
  ],
  itemRows: () => [
    [
      { kind: 'number', key: reaches, min: 0, step: 'any', label },
      {
        kind: 'text',
        key: 'over',
        required: true,
        placeholder: '2m',
        label: { id: 'dyno.editor.stages.over', text: 'Over' },
      },
    ],
  ],
});

/** Formats an amount such as `2 clients` or `1 request a second`. */
export const amount = (number: number, one: string, many: string): string =>
  `${formatNumber(number)} ${number === 1 ? one : many}`;

export const perSecondText = (rate: number): string => amount(rate, 'request a second', 'requests a second');

/** Formats the stages, such as `to 8 over 2m, to 4 over 1m`. */
export const stagesText = (stages: readonly { reached: number; over: string }[]): string =>
  stages.map(({ reached, over }) => `to ${formatNumber(reached)} over ${over}`).join(', ');

export const inFlightText = (most: number): string => `at most ${formatNumber(most)} in flight`;

/**
 * Returns the time after which a ramping load no longer changes, in ms since the start. It is the end of the last stage that changes the
 * load.
 */
export function rampMsOf(start: number, stages: readonly { reached: number; over: string }[]): number {
  let from = start;
  let time = 0;
  let changedUntil = 0;
  for (const { reached, over } of stages) {
    time += durationMs(over);
    if (reached !== from) changedUntil = time;
    from = reached;
  }
  return changedUntil;
}
