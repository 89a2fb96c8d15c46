/** `apache-logs`: a web server's access log in the combined format, parsed into fields. `message` contains the raw line. */
import { jsonOfText } from '../json/exact';
import { accessLine, apacheSite, type Drawn } from './apache-site';
import { defineGenerator } from './generator';
import { all, date, ip, keyword, long, text as analyzed } from './mapping';
import { choice, text, type Part } from './template';

/** Escapes a text for use within a JSON string. */
const escaped = (value: string): string => jsonOfText(value).slice(1, -1);

function document(): Part[] {
  const site = apacheSite();
  const { client, page, answer, agent, referrer, version } = site;
  const one = <K extends string>({ draw, texts }: Drawn<K>, key: K): Part =>
    choice(draw, texts[key].map(escaped));
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

/** Fields of a parsed line. */
export const PARSED_FIELDS = {
  '@timestamp': date,
  // The client of a line can be a host name instead of an address.
  clientip: { ...ip, ignore_malformed: true },
  ...all(keyword, 'ident', 'auth', 'verb'),
  request: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 2048 } } },
  httpversion: keyword,
  response: { type: 'short' },
  bytes: long,
  referrer: keyword,
  agent: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 1024 } } },
  message: analyzed,
};

export const apacheLogs = defineGenerator({
  name: 'apache-logs',
  label: { id: 'dyno.editor.source.apacheLogs', text: 'Web server log lines (apache-logs)' },
  documentBytes: 620,
  mapping: { properties: PARSED_FIELDS },
  document,
});
