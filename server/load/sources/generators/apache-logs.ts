/** `apache-logs`: a web server's combined access log, parsed into fields, with the raw line as `message`. */
import type { Part } from '../template';
import { accessLine } from './apache-access-lines';
import { apacheSite, type Drawn } from './apache-site';

/** As it stands inside a JSON string. */
const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

export function apacheLogsTemplate(): Part[] {
  const site = apacheSite();
  const { client, page, answer, agent, referrer, version } = site;
  const text = (value: string): Part => ({ kind: 'text', text: value });
  const one = <K extends string>({ draw, texts }: Drawn<K>, key: K): Part => ({
    kind: 'choice',
    draw,
    texts: texts[key].map(escaped),
  });
  return [
    text('{"@timestamp":"'),
    { kind: 'time', format: 'iso' },
    text('","clientip":"'),
    one(client, 'address'),
    text('","ident":"-","auth":"-","verb":"'),
    one(page, 'verb'),
    text('","request":"'),
    one(page, 'path'),
    text('","httpversion":"'),
    one(version, 'version'),
    text('","response":'),
    one(answer, 'status'),
    text(',"bytes":'),
    one(answer, 'bytes'),
    text(',"referrer":"'),
    one(referrer, 'referrer'),
    text('","agent":"'),
    one(agent, 'agent'),
    text('","message":"'),
    ...accessLine(site, escaped),
    text('"}'),
  ];
}
