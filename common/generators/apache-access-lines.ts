/** `apache-access-lines`: raw lines of a web server's combined access log, to be parsed by somebody. */
import { jsonOfText } from '../json/exact';
import { PARSED_FIELDS } from './apache-logs';
import { accessLine, apacheSite } from './apache-site';
import { defineGenerator } from './generator';
import { all, keyword } from './mapping';
import { text } from './template';

export const apacheAccessLines = defineGenerator({
  name: 'apache-access-lines',
  label: {
    id: 'dyno.editor.source.apacheAccessLines',
    text: 'Raw lines of a web server log, to be parsed (apache-access-lines)',
  },
  documentBytes: 620,
  // What the grok pattern of a combined access log gives, and what a line that it does not match has.
  mapping: { properties: { ...PARSED_FIELDS, ...all(keyword, 'timestamp', 'rawrequest', 'tags') } },
  // A document that nobody has parsed: what a plain line of a file becomes.
  document: () => [
    text('{"@timestamp":"'),
    { kind: 'time', format: 'iso' },
    text('","message":"'),
    ...accessLine(apacheSite(), (value) => jsonOfText(value).slice(1, -1)),
    text('"}'),
  ],
  line: () => accessLine(apacheSite(), (value) => value),
});
