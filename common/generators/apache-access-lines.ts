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
  // The first fields are those of the grok pattern for a combined access log. The other fields occur in lines that the pattern does not
  // match.
  mapping: { properties: { ...PARSED_FIELDS, ...all(keyword, 'timestamp', 'rawrequest', 'tags') } },
  // A line that is not parsed becomes a document in the same form as a line that is read from a file.
  document: () => [
    text('{"@timestamp":"'),
    { kind: 'time', format: 'iso' },
    text('","message":"'),
    ...accessLine(apacheSite(), (value) => jsonOfText(value).slice(1, -1)),
    text('"}'),
  ],
  line: () => accessLine(apacheSite(), (value) => value),
});
