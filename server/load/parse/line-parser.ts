/**
 * From one raw line to one document of a bulk. A line becomes a string, for JavaScript's regular expressions want one: here,
 * unlike in the threads that send, something is allocated for each document, and it is what parsing costs.
 */
import { jsonOfText } from '../../../common/json/exact';
import { compileGrok, type CompiledGrok, type FieldType } from '../../../common/grok/compile';
import { compileDateFormat, type ReadTime } from '../../../common/grok/date-format';
import type { ParseJob } from '../../../common/tasks/parse';
import type { Batch } from '../sources/batch';
import { timeText } from '../sources/time-text';

/** '' for a line that was parsed. */
export type Unparsed = '' | 'no-match' | 'wrong-type' | 'wrong-time';

/** As Logstash calls them. */
const TAGS = {
  'no-match': '_grokparsefailure',
  'wrong-type': '_grokparsefailure',
  'wrong-time': '_dateparsefailure',
} as const;

const LINE_FEED = 10;
/** What JSON does not take as it is: quotes, backslashes, control characters. */
const ESCAPED = /["\\]|[^\u0020-\uffff]/;
const PLAIN_INTEGER = /^-?(?:0|[1-9]\d*)$/;

interface Field {
  name: string;
  /** `,"name":` */
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

  /** The time of the lines that follow, where they do not tell their own; ms since the epoch. */
  setTime(now: number): void {
    if (now === this.now) return;
    this.now = now;
    this.nowText = timeText('iso', now);
  }

  /** The line at `start`, that ends before `end` with or without a line feed: appended to `out` unless it is left out. */
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

  /** As it is written in the document; '' for a text of another form. Lines of one second follow each other. */
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

/** As Elasticsearch's grok has it: of the first alternative that took part, were it empty. */
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

/** Null for a text that is none of the type. */
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
