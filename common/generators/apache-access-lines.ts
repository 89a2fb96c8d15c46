/** `apache-access-lines`: raw lines of a web server's access log in the combined format, as input for parsing. */
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
  // The fields of the grok pattern for a combined access log, and those of lines that the pattern does not match.
  mapping: { properties: { ...PARSED_FIELDS, ...all(keyword, 'timestamp', 'rawrequest', 'tags') } },
  // The document of an unparsed line has the form of a plain line from a file.
  document: () => [
    text('{"@timestamp":"'),
    { kind: 'time', format: 'iso' },
    text('","message":"'),
    ...accessLine(apacheSite(), (value) => jsonOfText(value).slice(1, -1)),
    text('"}'),
  ],
  line: () => accessLine(apacheSite(), (value) => value),
});
