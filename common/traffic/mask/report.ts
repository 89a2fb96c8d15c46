/** Texts for the report on a masked recording. */
import { formatBytes, formatNumber, formatPercent, plural } from '../../units/format';
import type { Counted, MaskAccount, Treatment } from './account';
import type { MaskOptions } from './masking';

/** Names of the treatments, in the order in which the report lists them. */
const TREATMENTS: Readonly<Record<Treatment, string>> = {
  words: 'text masked word by word',
  number: 'number, order kept',
  date: 'date, shifted by weeks',
  ip: 'IP address, subnets kept',
  uuid: 'UUID',
  hex: 'hexadecimal id',
  place: 'place, moved',
  vector: 'vector, rotated or reordered',
  unchanged: 'unchanged (true, false, null, empty, now)',
  kept: 'kept as wanted',
  dropped: 'dropped',
};

/** Returns sentences about the parts of a recording that were copied unmasked. */
export function copiedParts({ fields, indices, keep }: MaskOptions): string[] {
  return [
    'The language of queries: types of queries, operators, sizes, distances, formats, time zones, code of scripts without its texts.',
    'Names of relations in join fields, if there are at most ten.',
    ...(fields === 'keep' ? ['Names of fields. --fields map masks them.'] : []),
    ...(indices === 'keep'
      ? ['Names of indices. --indices map masks them.']
      : ['Digits in names of indices.']),
    ...(keep.length > 0 ? [`Values of ${keep.join(', ')}, because of --keep.`] : []),
    'true, false, null, zero, punctuation and symbols, the largest values of number types, and the times of day of dates.',
    'Words of 1 to 5 letters are masked, but the mask of a word may be another word of the recording by chance.',
    'Methods, status codes, times, sizes, counts and error types of requests and answers.',
  ];
}

/** Warnings about facts that masking cannot hide, such as lengths of words. */
export const CANNOT_HIDE =
  'Masking hides values, not facts about them: how often values occur together, lengths of words, order and differences of numbers, and the structure of requests stay. With knowledge about your data, a reader may recognise frequent values.';

const counts = (title: string, all: readonly Counted[], most: number): string[] => {
  if (all.length === 0) return [];
  const more = all.length - most;
  return [
    '',
    title,
    ...all.slice(0, most).map(({ what, count }) => `  ${formatNumber(count).padStart(10)}  ${what}`),
    ...(more > 0 ? [`              and ${plural(more, 'other kind')}, see --report`] : []),
  ];
};

/** Maximum number of lines of a list in the terminal. */
const MOST_LINES = 20;
const MOST_FIELDS = 60;

const ratio = (after: number, before: number): string =>
  before === 0 ? '' : `, ${formatPercent(after / before)} of the original size`;

/** Returns the report for the terminal. */
export function renderMasking(account: MaskAccount, options: MaskOptions): string[] {
  const { requests, bytes, fields } = account;
  const width = Math.min(50, Math.max(0, ...fields.map(({ field }) => field.length)));
  const more = fields.length - MOST_FIELDS;
  return [
    `${plural(requests.written, 'request')} masked, ${formatBytes(bytes.after)}${ratio(bytes.after, bytes.before)}; ` +
      `${formatNumber(requests.dropped)} dropped.`,
    ...(fields.length === 0 ? [] : ['', 'Values by field, in documents and queries']),
    ...fields.slice(0, MOST_FIELDS).map(({ field, values }) => {
      const parts = (Object.keys(TREATMENTS) as Treatment[]).flatMap((treatment) =>
        values[treatment] === undefined
          ? []
          : [`${formatNumber(values[treatment])} ${TREATMENTS[treatment]}`],
      );
      return `  ${field.padEnd(width)}  ${parts.join('; ')}`;
    }),
    ...(more > 0 ? [`  and ${plural(more, 'other field')}, see --report`] : []),
    ...counts('Dropped requests', account.droppedRequests, MOST_LINES),
    ...counts(
      'Parts removed from requests, because Dyno does not know them',
      account.removedParts,
      MOST_LINES,
    ),
    ...counts('Requests that may answer differently, and parts that are copied', account.notes, MOST_LINES),
    '',
    'Not masked',
    ...copiedParts(options).map((line) => `  ${line}`),
    '',
    CANNOT_HIDE,
  ];
}
