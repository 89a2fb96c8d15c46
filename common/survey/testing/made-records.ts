/** Creates records of traffic for tests. */
import type { TrafficRecord } from '../../traffic/record';

export interface MadeRecord extends Partial<Omit<TrafficRecord, 'body' | 'answer'>> {
  /** Text of the body. */
  text?: string;
  status?: number;
  /** Duration of the answer in ms. */
  ms?: number;
  bytes?: number;
  facts?: NonNullable<TrafficRecord['answer']>['facts'];
}

/** Returns a record of `line`, such as `GET /shop/_search?q=a`. Its answer has the status 200 unless `made` has another one. */
export function madeRecord(line: string, made: MadeRecord = {}): TrafficRecord {
  const [method, target] = line.split(' ') as [string, string];
  const [path, query = ''] = target.split('?', 2) as [string, string?];
  const { text, status = 200, ms = 5, bytes = 100, facts = {}, ...more } = made;
  return {
    connection: 0,
    order: 0,
    at: 0,
    method,
    path,
    query,
    contentType: text === undefined ? '' : 'application/json',
    body: text === undefined ? null : new TextEncoder().encode(text),
    client: '10.0.0.1',
    answer: { status, durationUs: ms * 1000, bytes, facts },
    ...more,
  };
}
