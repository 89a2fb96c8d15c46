/** `apache-access-lines`: raw lines of a web server's combined access log, to be parsed by somebody. */
import type { Part } from '../template';
import { apacheSite, type ApacheSite, type Drawn } from './apache-site';

/** One line of the log without its end; `written`: how its texts stand in what it is a part of. */
export function accessLine(
  { client, page, answer, agent, referrer, version }: ApacheSite,
  written: (text: string) => string,
): Part[] {
  const text = (value: string): Part => ({ kind: 'text', text: written(value) });
  const one = <K extends string>({ draw, texts }: Drawn<K>, key: K): Part => ({
    kind: 'choice',
    draw,
    texts: texts[key].map(written),
  });
  return [
    one(client, 'address'),
    text(' - - ['),
    { kind: 'time', format: 'clf' },
    text('] "'),
    one(page, 'verb'),
    text(' '),
    one(page, 'path'),
    text(' HTTP/'),
    one(version, 'version'),
    text('" '),
    one(answer, 'status'),
    text(' '),
    one(answer, 'bytes'),
    text(' "'),
    one(referrer, 'referrer'),
    text('" "'),
    one(agent, 'agent'),
    text('"'),
  ];
}

/** The line as it is. */
export const apacheAccessLine = (): Part[] => accessLine(apacheSite(), (text) => text);

/** As a document that nobody has parsed: what a plain line of a file becomes. */
export const apacheAccessLinesTemplate = (): Part[] => [
  { kind: 'text', text: '{"@timestamp":"' },
  { kind: 'time', format: 'iso' },
  { kind: 'text', text: '","message":"' },
  ...accessLine(apacheSite(), (text) => JSON.stringify(text).slice(1, -1)),
  { kind: 'text', text: '"}' },
];
