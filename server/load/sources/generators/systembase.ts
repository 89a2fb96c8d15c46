/**
 * `systembase`: system events of 18 fields, the documents of the Azure guidance on ingestion ("Maximizing Data Ingestion
 * Performance with Elasticsearch on Azure", appendix). The value sets are those of its published test code.
 */
import { evenDraw, type Part } from '../template';

const NAMES = ['checkout', 'order', 'search', 'payment'];
const MESSAGES = [
  'Incoming request from code',
  'incoming operation succeeded with code',
  'Operation completed time',
  'transaction performed',
];
const SEVERITIES = ['info', 'warning', 'transaction', 'verbose'];
/** The four applications' UUIDs differ in their first digit only. */
const APPS = ['4', '5', '6', '7'];
const APP_REST = 'D24BD62-20BF-4D74-B6DC-31313ABADB82';
/** Characters of each of the two fields that make a document big. */
const BIG = 12_000;

const range = (size: number): string[] => Array.from({ length: size }, (_, number) => String(number));
const text = (value: string): Part => ({ kind: 'text', text: value });
const among = (name: string, texts: readonly string[]): Part => ({
  kind: 'choice',
  draw: evenDraw(name, texts.length),
  texts,
});

/** Parts of one document; `big` adds `data1` and `data2` of 12000 characters each. */
export function systembaseTemplate(big: boolean): Part[] {
  const hosts = range(20);
  const host = evenDraw('host', hosts.length);
  const byHost: Part = { kind: 'choice', draw: host, texts: hosts };
  const data = `"${'x'.repeat(BIG)}"`;
  return [
    text('{"@timestamp":"'),
    { kind: 'time', format: 'iso' },
    text('","name":"'),
    among('name', NAMES),
    text('","message":"'),
    among('message', MESSAGES),
    text('","severityCode":'),
    among('severityCode', range(10)),
    text(',"severity":"'),
    among('severity', SEVERITIES),
    text('","hostname":"Hostname'),
    byHost,
    text('","hostip":"10.1.0.'),
    byHost,
    text('","pid":'),
    among('pid', range(10)),
    text(',"tid":'),
    among('tid', range(10)),
    text(',"appId":"'),
    among('appId', APPS),
    text(`${APP_REST}","appName":"application`),
    byHost,
    text('","appVersion":'),
    among('appVersion', range(5)),
    text(',"type":'),
    among('type', range(6)),
    text(',"subtype":'),
    among('subtype', range(6)),
    text(',"correlationId":"'),
    { kind: 'uuid' },
    text('","os":"linux","osVersion":"14.1.5","parameters":"{key:value,key:value}"'),
    text(big ? `,"data1":${data},"data2":${data}}` : '}'),
  ];
}
