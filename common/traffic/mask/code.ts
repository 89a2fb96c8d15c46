/** Finds the literals and names in scripts, and in queries in ES|QL, SQL and EQL. */

/** A literal or a name in code. */
export interface Literal {
  text: string;
  /** Code before the literal, without comments. */
  before: string;
  /** Code after the literal. */
  after: string;
}

/**
 * Functions that return the replacements for the literals of code. A returned text is written between the quotes of the original literal.
 */
export interface OnCode {
  string(literal: Literal): string;
  number(literal: Literal): string;
  /** Returns the replacement for a name, such as that of a field or a function. The name keeps its quotes. */
  name?(literal: Literal): string;
  /** Returns the replacement for the code of a script between two literals. This code contains names, such as those of fields. */
  code?(code: string): string;
}

const DOUBLE = String.raw`"(?<double>(?:[^"\\]|\\[^])*)"`;
const SINGLE = String.raw`'(?<single>(?:[^'\\]|\\[^])*)'`;
const TRIPLE = String.raw`"""(?<triple>[^]*?)"""`;
const SLASHES = String.raw`(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)`;
const BACKTICKS = '`(?<backticks>[^`]*)`';
/** Source of a regular expression for a number. The number may have a unit, such as `1h`, or a type suffix, such as `5L`. */
const NUMBER = String.raw`(?<number>(?:(?<![\w.$@)\]"'${'`'}])-)?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:ms|[a-zA-Z])?(?![\w])`;
const WORD = String.raw`(?<word>[\p{L}_@$][\p{L}\p{N}_@$]*(?:\.[\p{L}\p{N}_@$*]+)*\*?)`;
const SYMBOL = String.raw`(?<symbol>\s+|[-+*/%<>=!&|^~?:;,.(){}[\]])`;
/** Source of a regular expression for a comment in SQL. `--` begins a comment only in SQL, and `//` only in the other languages. */
const SQL_COMMENT = String.raw`(?<comment>--[^\n]*|#[^\n]*|\/\*[^]*?\*\/)`;
const SQL_SINGLE = "'(?<single>(?:[^'\\\\]|'')*)'";

const tokens = (...parts: string[]): RegExp => new RegExp(parts.join('|'), 'guy');

const LANGUAGES = {
  script: tokens(SLASHES, DOUBLE, SINGLE, NUMBER, WORD, SYMBOL),
  esql: tokens(SLASHES, TRIPLE, DOUBLE, BACKTICKS, NUMBER, WORD, SYMBOL),
  eql: tokens(SLASHES, TRIPLE, DOUBLE, SINGLE, BACKTICKS, NUMBER, WORD, SYMBOL),
  // In this language, double quotes surround names.
  sql: tokens(SQL_COMMENT, SQL_SINGLE, '"(?<quoted>[^"\\\\]*)"', BACKTICKS, NUMBER, WORD, SYMBOL),
  // In this language, double quotes surround texts, as in MySQL.
  'opensearch-sql': tokens(
    SQL_COMMENT,
    SQL_SINGLE,
    '"(?<double>[^"\\\\]*)"',
    BACKTICKS,
    NUMBER,
    WORD,
    SYMBOL,
  ),
} as const;
export type Language = keyof typeof LANGUAGES;

/**
 * Matches code that ends with a command such as `FROM`, after which the name of an index follows. Other names of indices may be in between.
 */
const BEFORE_INDEX = /(?:^|[\s(])(?:FROM|TS|JOIN)\s+(?:[^\s()|]+\s*,\s*)*$/i;
const INDEX = /"[\w.*<>{}/+:,-]+"|`[\w.*<>{}/+:,-]+`|[\w.*<>{}/+:-]+/y;

/** Words of Painless after which another word may follow, such as `new` and `return`. */
const LEADING = new Set(
  (
    'new return else throw def final in instanceof void int long double float boolean byte short char String Object Number Integer Long Double ' +
    'Float Boolean List ArrayList Map HashMap TreeMap Set HashSet Entry Iterator Collection Pattern Matcher StringBuilder Instant Duration ' +
    'ZonedDateTime OffsetDateTime LocalDate LocalTime LocalDateTime ZoneId ChronoUnit DateTimeFormatter SimpleDateFormat DecimalFormat Date ' +
    'LinkedHashMap LinkedList BigDecimal BigInteger GeoPoint DayOfWeek Calendar Exception'
  ).split(' '),
);
const FOLLOWING = new Set(['instanceof', 'in']);
const BEFORE_OPERAND = /(?:([\p{L}_@$][\w$]*)|[\w"'])\s*$/u;

/**
 * Returns whether Dyno cannot understand a token of a script. It cannot understand regular expressions. It also cannot understand a name
 * directly after another name or a literal, because this does not occur in valid scripts.
 */
function isUnclear(token: string, isOperand: boolean, before: string): boolean {
  if (!isOperand) return token === '/' && (!/[\w$)\]"']\s*$/.test(before) || /\breturn\s*$/.test(before));
  const found = BEFORE_OPERAND.exec(before);
  return found !== null && !FOLLOWING.has(token) && !LEADING.has(found[1] ?? '');
}

/**
 * Replaces the literals and names in code, and removes comments. Names of indices stay. Returns null if a part of the code is not a token
 * of the language, such as an opening quotation mark without a closing one. Also returns null if the code may contain a text without
 * quotes.
 */
export function maskedCode(code: string, language: Language, on: OnCode): string | null {
  // A template puts values into the code, and these are unknown.
  if (language === 'script' && code.includes('{{')) return null;
  let result = '';
  let before = '';
  /** Code after the last literal. */
  let plain = '';
  const flush = (): void => {
    result += on.code?.(plain) ?? plain;
    plain = '';
  };
  const pattern = LANGUAGES[language];
  for (let at = 0; at < code.length;) {
    if (language.endsWith('sql') && BEFORE_INDEX.test(before)) {
      INDEX.lastIndex = at;
      const index = INDEX.exec(code)?.[0];
      if (index !== undefined) {
        plain += index;
        before += index;
        at += index.length;
        continue;
      }
    }
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    if (found === null) return null;
    // The code contains a comment that is not closed.
    if (found[0] === '*' && before.endsWith('/')) return null;
    at += found[0].length;
    const literal = (text: string): Literal => ({ text, before, after: code.slice(at, at + 200) });
    const { comment, triple, double, single, quoted, backticks, number, word } = found.groups ?? {};
    // A minus sign before a number may be an operator.
    const isOperand = word !== undefined || (number !== undefined && !number.startsWith('-'));
    if (language === 'script' && isUnclear(found[0], isOperand, before)) return null;
    const name = quoted ?? backticks ?? word;
    if (comment !== undefined) plain += ' ';
    else if (name !== undefined) {
      const masked = on.name?.(literal(name)) ?? name;
      plain += word === undefined ? found[0][0]! + masked + found[0][0]! : masked;
    } else if (number !== undefined) {
      flush();
      result += on.number(literal(number)) + found[0].slice(number.length);
    } else if (found.groups?.['symbol'] === undefined) {
      flush();
      const quote = triple === undefined ? found[0][0]! : '"""';
      result += quote + on.string(literal(triple ?? double ?? single ?? '')) + quote;
    } else plain += found[0];
    before = (before + (comment === undefined ? found[0] : ' ')).slice(-400);
  }
  flush();
  return result;
}

const NAME = String.raw`[\p{L}_@][\p{L}\p{N}_@.-]*|"[^"]+"|` + '`[^`]+`';
const CONSTANT = String.raw`(?:-?[\w.]+|"[^"]*"|'[^']*'|\?\w*)`;
const COMPARISON = String.raw`(?:==|=~|<>|!=|<=|>=|=|<|>|:|\blike~?|\brlike|\bregex~?)\s*\(?\s*`;
const LIST = String.raw`(?:\bin~?|:|\blike~?|\bregex~?)\s*\(\s*(?:${CONSTANT}\s*,\s*)*`;
const BETWEEN = String.raw`\bbetween\s+(?:${CONSTANT}\s+and\s+)?`;
const BEFORE = new RegExp(
  String.raw`(${NAME})\s*(?:::\w+\s*)?(?:\bnot\s+)?(?:${COMPARISON}|${LIST}|${BETWEEN})$`,
  'iu',
);
const AFTER = new RegExp(String.raw`^\s*(?:==|<>|!=|<=|>=|=|<|>)\s*(${NAME})`, 'u');
const FUNCTION = new RegExp(
  String.raw`(?:match|match_phrase|qstr|term|cidr_match|starts_with|ends_with|startsWith|endsWith|stringContains|cidrMatch)\s*\(\s*(${NAME})\s*,[^()]*$`,
  'iu',
);

/** Returns the name of the field with which the code compares a literal; '' if the code does not show the field. */
export function comparedField({ before, after }: Literal): string {
  const name = BEFORE.exec(before)?.[1] ?? FUNCTION.exec(before)?.[1] ?? AFTER.exec(after)?.[1] ?? '';
  return name.replaceAll(/^["`]|["`]$/g, '');
}

/** Returns the fields with which a query compares its parameters. The key is the name of the parameter, or its number, from 1. */
export function parameterFields(code: string, language: Language): Map<string, string> {
  const fields = new Map<string, string>();
  let unnamed = 0;
  // Question marks in comments and texts are not parameters.
  const bare =
    maskedCode(code, language, {
      string: ({ text }) => text.replaceAll('?', ' '),
      number: ({ text }) => text,
    }) ?? '';
  for (const found of bare.matchAll(/\?(\w*)/g)) {
    unnamed += found[1] === '' ? 1 : 0;
    const field = comparedField({
      text: '',
      before: bare.slice(0, found.index),
      after: bare.slice(found.index + found[0].length),
    });
    if (field !== '') fields.set(found[1] || String(unnamed), field);
  }
  return fields;
}

/**
 * Commands, operators, functions, types and units of ES|QL, SQL and EQL that Dyno knows. In a query, every other name must be that of a
 * field. If it is not, Dyno does not understand the query.
 */
const LANGUAGE_WORDS = new Set(
  // Commands and clauses
  (
    'from ts row show info metadata where eval stats inline keep drop rename sort limit dissect grok mv_expand sample by as asc desc nulls first last ' +
    'select distinct all top having group order on join inner left right full outer cross union escape case when then else end between exists ' +
    'any sequence until with maxspan runs head tail unique pipe count offset using natural over partition percent ' +
    // Operators and constants
    'and or not in is null true false like rlike regex match missing ' +
    // Types and units
    'integer int long double float boolean keyword string text varchar date datetime timestamp time ip version geo_point interval day days hour hours ' +
    'minute minutes second seconds week weeks month months quarter quarters year years millisecond milliseconds ' +
    // Functions
    'abs avg bucket ceil ceiling cidr_match cidrmatch coalesce concat count_distinct current_date current_timestamp date_diff datediff date_extract ' +
    'date_format date_parse date_part datepart date_trunc datetrunc dateadd date_add date_diff ends_with endswith exp extract floor greatest histogram ' +
    'indexof instr least length locate log log10 lower ltrim max median min mod mv_avg mv_concat mv_count mv_first mv_last mv_max mv_min mv_sum ' +
    'now percentile percentile_cont pow power qstr query replace round rtrim score sign split sqrt starts_with startswith std_dev stddev_pop stringcontains ' +
    'substring sum sum_of_squares today to_boolean to_date to_datetime to_double to_integer to_ip to_long to_lower to_string to_upper to_version trim ' +
    'ucase upper values var_pop weighted_avg wildcard cast convert iif ifnull isnull nullif nvl match_phrase multi_match term knn st_distance'
  ).split(' '),
);

/** Returns whether a word belongs to ES|QL, SQL or EQL. */
export const isLanguageWord = (word: string): boolean =>
  LANGUAGE_WORDS.has(word.toLowerCase().replace(/\*$/, ''));

/** Returns whether the query itself defines the name at this position, such as the name of a new column. */
export function definesName({ before, after }: Literal, language: Language): boolean {
  if (language === 'eql') return false;
  if (/\bas\s+$/i.test(before)) return true;
  if (language === 'esql') return /^\s*=(?!=)/.test(after);
  // A name directly after another one is defined here, as in `SELECT price cost FROM shop s`.
  const [, word] = /(?:([\p{L}_]\w*)|[)"'`\w])\s+$/u.exec(before) ?? [undefined, 'and'];
  return word === undefined || !isLanguageWord(word);
}
