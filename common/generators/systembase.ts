/**
 * `systembase`: system events with 18 fields, like the documents in Microsoft's guidance on ingestion ("Maximizing Data Ingestion
 * Performance with Elasticsearch on Azure", appendix). The values are those in the test code that Microsoft published.
 */
import { defineGenerator } from './generator';
import { all, date, integer, keyword, text as analyzed } from './mapping';
import { choice, evenDraw, text, type Part } from './template';

const NAMES = ['checkout', 'order', 'search', 'payment'];
const MESSAGES = [
  'Incoming request from code',
  'incoming operation succeeded with code',
  'Operation completed time',
  'transaction performed',
];
const SEVERITIES = ['info', 'warning', 'transaction', 'verbose'];
/** First digits of the UUIDs of the four applications. The other digits are the same in all four UUIDs. */
const APPS = ['4', '5', '6', '7'];
const APP_REST = 'D24BD62-20BF-4D74-B6DC-31313ABADB82';
/** Length of each of the fields `data1` and `data2` of large documents, in characters. */
const BIG = 12_000;

const range = (size: number): string[] => Array.from({ length: size }, (_, number) => String(number));
const among = (name: string, texts: readonly string[]): Part => choice(evenDraw(name, texts.length), texts);

/** Returns the template of a document. `big`: whether the document also has the fields `data1` and `data2`, with 12,000 characters each. */
function document(big: boolean): Part[] {
  const hosts = range(20);
  const host = evenDraw('host', hosts.length);
  const byHost = choice(host, hosts);
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

/** Mapping of the fields in the appendix of Microsoft's guidance. A string that is "not analyzed" there is a keyword today. */
const properties = {
  '@timestamp': date,
  ...all(keyword, 'name', 'message'),
  severityCode: integer,
  ...all(keyword, 'severity', 'hostname', 'hostip'),
  ...all(integer, 'pid', 'tid'),
  ...all(keyword, 'appId', 'appName'),
  ...all(integer, 'appVersion', 'type', 'subtype'),
  ...all(keyword, 'correlationId', 'os', 'osVersion', 'parameters'),
};

export const systembase = defineGenerator({
  name: 'systembase',
  label: { id: 'dyno.editor.source.systembase', text: 'Small system log entries (systembase)' },
  documentBytes: 445,
  mapping: { properties },
  document: () => document(false),
});

export const systembaseBig = defineGenerator({
  name: 'systembase-big',
  label: { id: 'dyno.editor.source.systembaseBig', text: 'Large system log entries, 24 KB (systembase-big)' },
  documentBytes: 24_480,
  // The mapping in the guidance lacks the two large fields. Elasticsearch therefore treated them as analyzed strings.
  mapping: { properties: { ...properties, data1: analyzed, data2: analyzed } },
  document: () => document(true),
});
