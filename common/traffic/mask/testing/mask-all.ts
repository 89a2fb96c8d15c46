/** Masks simulated requests, for tests. */
import { createHmac } from 'node:crypto';
import type { TrafficRecord } from '../../record';
import { Masking, NotUnderstood, type MaskOptions } from '../masking';
import { maskedRecord } from '../request';

const digest = (text: string): Uint8Array =>
  createHmac('sha256', 'a key of these tests').update(text).digest();

export interface Sent {
  method?: string;
  path: string;
  query?: string;
  body?: unknown;
  lines?: readonly unknown[];
  answer?: TrafficRecord['answer'];
  contentType?: string;
  encoding?: string;
}

/** Answer to a request that the cluster executed. */
export const SUCCESS = { status: 200, durationUs: 1, bytes: 2 };

const json = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const recordOf = (
  {
    method = 'POST',
    path,
    query = '',
    body,
    lines,
    answer = null,
    contentType = 'application/json',
    encoding,
  }: Sent,
  order: number,
): TrafficRecord => {
  const text =
    lines === undefined ? (body === undefined ? null : json(body)) : `${lines.map(json).join('\n')}\n`;
  return {
    ...{ connection: 1, order, at: order, method, path, query, contentType },
    ...(encoding === undefined ? {} : { encoding }),
    body: text === null ? null : Buffer.from(text),
    answer,
  };
};

export interface Masked {
  path: string;
  query: string;
  /** The body, or the list of lines of a body. */
  body: any; // oxlint-disable-line typescript/no-explicit-any
  text: string;
  answer: TrafficRecord['answer'];
  record: TrafficRecord;
}

/** Masks requests together, so that each uses what was learned from all. For a request that is dropped, returns the reason. */
export function maskAll(requests: readonly Sent[], options: Partial<MaskOptions> = {}) {
  const masking = new Masking(digest, { fields: 'keep', indices: 'keep', keep: [], drop: [], ...options });
  const pass = (): (Masked | string)[] =>
    requests.map((sent, order) => {
      try {
        const record = maskedRecord(masking, recordOf(sent, order));
        const { path, query, body, answer } = record;
        const text = body === null ? '' : Buffer.from(body).toString();
        const values = text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown);
        return { path, query, text, body: sent.lines === undefined ? values[0] : values, answer, record };
      } catch (error) {
        if (error instanceof NotUnderstood) return error.message;
        throw error;
      }
    });
  pass();
  masking.learned();
  return { masked: pass(), account: masking.account.result() };
}

export const one = (sent: Sent, options: Partial<MaskOptions> = {}): Masked =>
  maskAll([sent], options).masked[0] as Masked;
export const two = (first: Sent, second: Sent, options: Partial<MaskOptions> = {}): [Masked, Masked] =>
  maskAll([first, second], options).masked as [Masked, Masked];

export const store = (document: unknown): Sent => ({ path: '/shop/_doc/1', method: 'PUT', body: document });
export const search = (query: unknown): Sent => ({ path: '/shop/_search', body: { query } });
