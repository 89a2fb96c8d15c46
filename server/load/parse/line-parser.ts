/**
 * Converts raw lines to the documents of a bulk request. JavaScript's regular expressions need strings, so each line is converted to a
 * string. This is most of the cost of parsing, and the reason why separate threads parse lines.
 */
import { jsonOfText } from '../../../common/json/exact';
import { compileGrok, type CompiledGrok, type FieldType } from '../../../common/grok/compile';
import { compileDateFormat, type ReadTime } from '../../../common/grok/date-format';
import type { ParseJob } from '../../../common/tasks/parse';
import type { Batch } from '../sources/batch';
import { timeText } from '../sources/time-text';

/** Reason why a line was not parsed; '' if it was. */
export type Unparsed = '' | 'no-match' | 'wrong-type' | 'wrong-time';

/** Tags that are added to a document whose line could not be parsed. They are the tags of Logstash. */
const TAGS = {
  'no-match': '_grokparsefailure',
  'wrong-type': '_grokparsefailure',
  'wrong-time': '_dateparsefailure',
} as const;

const LINE_FEED = 10;
/** Characters that JSON must escape: quotes, backslashes, control characters. */
const ESCAPED = /["\\]|[^\u0020-\uffff]/;
const PLAIN_INTEGER = /^-?(?:0|[1-9]\d*)$/;

interface Field {
  name: string;
  /** The key as JSON, with its separators: `,"name":`. */
  key: string;
  groups: number[];
  write: (text: string) => string | null;
}

export class LineParser {
  private readonly patterns: { regex: RegExp; fields: Field[] }[];
  private readonly readTime: ReadTime | null;
  private readonly timeField: string;
  private now = Number.NaN;
  private nowText = '';
  private lastTime = '';
  private lastTimeText = '';

  constructor(
    private readonly job: Pick<ParseJob, 'patterns' | 'definitions' | 'timestamp' | 'onFailure'>,
    private readonly actionLine: string,
  ) {
    this.patterns = job.patterns.map((pattern) => {
      const { compiled, problems } = compileGrok(pattern, job.definitions);
      if (compiled === null) throw new Error(`the pattern was not checked: ${problems[0]!.message}`);
      return { regex: compiled.regex, fields: fieldsOf(compiled) };
    });
    this.readTime = job.timestamp === null ? null : (compileDateFormat(job.timestamp.format) ?? null);
    this.timeField = job.timestamp?.field ?? '';
  }

  /** Sets the time for the following lines that contain no time, in ms since the epoch. */
  setTime(now: number): void {
    if (now === this.now) return;
    this.now = now;
    this.nowText = timeText('iso', now);
  }

  /**
   * Parses the line in `[start, end)`, with or without a line feed, and appends the document to `out`. Returns '', or the reason why the
   * line could not be parsed. An unparsed line becomes a document with a tag if `onFailure` is `tag`; otherwise the line is left out.
   */
  append(bytes: Buffer, start: number, end: number, out: Batch): Unparsed {
    const line = bytes.toString('utf8', start, bytes[end - 1] === LINE_FEED ? end - 1 : end);
    let why: Unparsed = 'no-match';
    let text = '';
    let time = this.nowText;
    for (const { regex, fields } of this.patterns) {
      const found = regex.exec(line);
      if (found === null) continue;
      why = '';
      for (let i = 0; i < fields.length; i += 1) {
        const { name, key, groups, write } = fields[i]!;
        const value = valueOf(found, groups);
        if (value === undefined) continue;
        const written = write(value);
        if (written === null) return this.fail('wrong-type', line, '', out);
        text += key + written;
        if (this.readTime !== null && name === this.timeField) {
          const own = this.timeOf(value);
          if (own === '') why = 'wrong-time';
          else time = own;
        }
      }
      break;
    }
    if (why !== '') return this.fail(why, line, text, out);
    write(out, `${this.actionLine}{"@timestamp":"${time}","message":${quoted(line)}${text}}\n`);
    return '';
  }

  private fail(why: Exclude<Unparsed, ''>, line: string, fields: string, out: Batch): Unparsed {
    if (this.job.onFailure === 'tag') {
      const known = `"@timestamp":"${this.nowText}","message":${quoted(line)}${fields}`;
      write(out, `${this.actionLine}{${known},"tags":["${TAGS[why]}"]}\n`);
    }
    return why;
  }

  /**
   * Converts the time in a line to the form that the document needs; '' if `text` has another form than expected. Caches the result for the
   * last second, because consecutive lines often have the same second.
   */
  private timeOf(text: string): string {
    if (text === this.lastTime) return this.lastTimeText;
    const ms = this.readTime!(text);
    this.lastTime = text;
    this.lastTimeText = ms === null || Number.isNaN(ms) ? '' : timeText('iso', ms);
    return this.lastTimeText;
  }
}

const fieldsOf = ({ fields }: CompiledGrok): Field[] =>
  fields.map(({ name, type, groups }) => ({
    name,
    key: `,${jsonOfText(name)}:`,
    groups,
    write: WRITERS[type],
  }));

/**
 * Returns the value of a field. A field may have several capturing groups in the pattern, of which one matches. The first group that
 * matched counts, even if it is empty, as in Elasticsearch's grok processor. Undefined if none matched.
 */
function valueOf(found: RegExpExecArray, groups: readonly number[]): string | undefined {
  for (let i = 0; i < groups.length; i += 1) {
    const value: string | undefined = found[groups[i]!];
    if (value !== undefined) return value;
  }
  return undefined;
}

const quoted = (text: string): string => (ESCAPED.test(text) ? jsonOfText(text) : `"${text}"`);

function writeInteger(text: string): string | null {
  if (PLAIN_INTEGER.test(text)) return text;
  const value = Number(text);
  return text !== '' && Number.isSafeInteger(value) ? String(value) : null;
}

function writeNumber(text: string): string | null {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? String(value) : null;
}

const writeBoolean = (text: string): string | null =>
  /^(?:true|false)$/i.test(text) ? text.toLowerCase() : null;

/** Functions that write a value as JSON, by type. They return null if the text is not of the type. */
const WRITERS: Record<FieldType, (text: string) => string | null> = {
  string: quoted,
  int: writeInteger,
  long: writeInteger,
  float: writeNumber,
  double: writeNumber,
  boolean: writeBoolean,
};

function write(out: Batch, document: string): void {
  out.reserve(document.length * 3);
  out.begin();
  out.length += out.bytes.write(document, out.length, 'utf8');
}
