/**
 * Recognises texts that belong to the language of requests: words from closed lists, numbers, units and formats. These texts are copied.
 * All other texts may contain values of users, and are masked or removed.
 */

/** Words with which Elasticsearch and OpenSearch name operators, modes, types and the like. They are compared in lower case. */
const WORDS = new Set(
  // Booleans and directions.
  (
    'true false asc desc _first _last first last default auto none all any only empty ' +
    // Texts and terms.
    'and or not phrase prefix precedence escape whitespace fuzzy near slop best_fields most_fields cross_fields phrase_prefix bool_prefix ' +
    'constant_score constant_score_blended constant_score_boolean scoring_boolean complement interval intersection anystring automaton ' +
    'ordered unordered unordered_no_overlap intersects disjoint within contains ' +
    // Scores.
    'avg sum min max median total multiply replace log log1p log2p ln ln1p ln2p square sqrt reciprocal minmax l2_norm ' +
    // Places.
    'arc plane strict coerce ignore_malformed indexed memory ' +
    // Sorting, highlighting, suggestions.
    'score unified plain fvh simple span chars sentence word html styled semantic frequency missing popular always internal damerau_levenshtein ' +
    'levenshtein jaro_winkler ngram ' +
    // Aggregations.
    'depth_first breadth_first map global_ordinals bytes_hash high_accuracy skip insert_zeros keep_values linear ewma holt holt_winters add ' +
    'mult paired homoscedastic heteroscedastic value_count percent_of_sum rescale_0_1 rescale_0_100 mean z-score softmax ' +
    'second minute hour day week month quarter year ' +
    // Types of fields, scripts and values.
    'keyword text constant_keyword long integer short byte double float half_float scaled_float unsigned_long number numeric string date ' +
    'date_nanos datetime time null ip boolean geo_point geo_shape version composite lookup object nested flattened painless expression mustache fail continue ' +
    // Parameters.
    'external external_gte external_gt force query_then_fetch dfs_query_then_fetch open closed hidden wait_for index create update delete ' +
    'proceed abort random wait_if_ongoing json yaml cbor smile txt csv tsv arrow jdbc odbc cli head tail ' +
    'metadata -metadata +metadata parent -parent +parent -nested +nested multifield -multifield +multifield application/json'
  ).split(' '),
);

const UNITS = 'nanos|micros|ms|s|m|h|d|w|M|q|y|b|kb|mb|gb|tb|mm|cm|km|in|ft|yd|mi|nmi|NM';
const NUMBER = String.raw`[+-]?\d{1,19}(?:\.\d{1,19})?`;
/** Matches a number with a unit of time, size or length. */
const QUANTITY = new RegExp(`^${NUMBER}(?:${UNITS})$`);
const PERCENT = String.raw`-?\d{1,9}%?`;
const FORMATS = [
  new RegExp(`^${NUMBER}$`),
  QUANTITY,
  // `minimum_should_match`, such as `75%` and `2<-25% 9<-3`.
  new RegExp(String.raw`^(?:${PERCENT}|\d{1,9}<${PERCENT}(?: \d{1,9}<${PERCENT})*)$`),
  /^AUTO:\d{1,3},\d{1,3}$/i,
  /^top_terms(?:_boost|_blended_freqs)?_\d{1,5}$/,
];

/**
 * Returns whether a text is a word, number or quantity of the language of requests, or a list of these with commas or bars between them.
 */
export const isStructural = (text: string): boolean =>
  text.length <= 200 &&
  (FORMATS.some((format) => format.test(text)) ||
    text.split(/[,|]/).every((part) => WORDS.has(part.trim().toLowerCase())));

const DISTANCE = new RegExp(String.raw`^\d{1,9}(?:\.\d{1,9})?(?:mm|cm|m|km|in|ft|yd|mi|nmi|NM)$`);

/** Returns whether a text is a distance with its unit, such as `5km`. */
export const isDistance = (text: string): boolean => DISTANCE.test(text);

/** Names of Elasticsearch's formats of dates, without `strict_`. */
const DATE_FORMATS = new Set(
  (
    'epoch_millis epoch_second date_optional_time date_optional_time_nanos basic_date basic_date_time basic_date_time_no_millis ' +
    'basic_ordinal_date basic_ordinal_date_time basic_ordinal_date_time_no_millis basic_time basic_time_no_millis basic_t_time ' +
    'basic_t_time_no_millis basic_week_date basic_week_date_time basic_week_date_time_no_millis date date_hour date_hour_minute ' +
    'date_hour_minute_second date_hour_minute_second_fraction date_hour_minute_second_millis date_time date_time_no_millis hour hour_minute ' +
    'hour_minute_second hour_minute_second_fraction hour_minute_second_millis ordinal_date ordinal_date_time ordinal_date_time_no_millis ' +
    'time time_no_millis t_time t_time_no_millis week_date week_date_time week_date_time_no_millis weekyear weekyear_week ' +
    'weekyear_week_day year year_month year_month_day iso8601 rfc3339_lenient use_field_mapping geojson wkt'
  ).split(' '),
);
/**
 * Matches the letters in a date format that represent a component of the date, such as `yyyy`. At least two letters are required, or a
 * single letter between other characters. No word of a user looks like this.
 */
const DATE_FIELDS =
  'yyyy|uuuu|YYYY|yy|uu|MMMM|MMM|MM|dd|DDD|EEEE|EEE|HH|hh|mm|ss|ww|SSSSSSSSS|SSSSSS|SSS|XXX|XX|xxx|ZZZZZ|ZZ';
const DATE_FIELD = String.raw`(?<![A-Za-z])[yMdHhmsSaEeZXxzw](?![A-Za-z])`;
const DATE_PATTERN = new RegExp(
  String.raw`^(?:${DATE_FIELDS}|${DATE_FIELD}|(?<=[mSs])[ZXxz]$|'[TZ]'|[ ./:,+\-_[\]])+$`,
);
const NUMBER_PATTERN = /^[#0.,;%‰¤E -]+$/;

/**
 * Returns whether a text is a format of dates or numbers: a name that Elasticsearch defines, a pattern, or several of these with `||`
 * between them.
 */
export const isFormat = (text: string): boolean =>
  text.length <= 120 &&
  text
    .split('||')
    .every(
      (one) =>
        DATE_FORMATS.has(one.replace(/^strict_/, '')) || DATE_PATTERN.test(one) || NUMBER_PATTERN.test(one),
    );

const ANALYZERS = new Set(
  (
    'standard simple whitespace stop keyword pattern fingerprint default arabic armenian basque bengali brazilian bulgarian catalan chinese ' +
    'cjk czech danish dutch english estonian finnish french galician german greek hindi hungarian indonesian irish italian latvian ' +
    'lithuanian norwegian persian polish portuguese romanian russian serbian sorani spanish swedish thai turkish ukrainian smartcn ' +
    'kuromoji nori icu_analyzer'
  ).split(' '),
);

/** Returns whether a text is the name of a built-in analyzer. */
export const isOwnAnalyzer = (text: string): boolean => ANALYZERS.has(text);

/** Returns whether a text is a time zone: an offset, or a name in the time zone database. */
export function isTimeZone(text: string): boolean {
  if (/^(?:Z|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)$/.test(text)) return true;
  if (!/^[A-Za-z][\w+/-]{1,40}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).format(0) !== '';
  } catch {
    return false;
  }
}

/** Returns whether a text is a locale with a language and a country, such as `de-DE`. */
export const isLocale = (text: string): boolean => /^(?:ROOT|[a-z]{2}(?:[-_][A-Z]{2})?)$/.test(text);

/** Returns whether a text is a preference that Elasticsearch defines. Preferences that contain the name of a node do not count. */
export const isOwnPreference = (text: string): boolean =>
  /^_(?:local|only_local|primary|replica|primary_first|replica_first|shards:\d{1,5}(?:,\d{1,5})*(?:\|_local)?)$/.test(
    text,
  );

/** Keys in responses. Paths of `filter_path` may contain them. */
const ANSWER_KEYS = new Set(
  (
    '* ** took timed_out terminated_early hits total value relation max_score _id _index _type _score _source _version _seq_no _primary_term ' +
    '_routing fields sort highlight found _shards successful skipped failed failures errors items index create update delete status result ' +
    'error type reason count docs pit_id id _scroll_id responses columns values deleted updated created noops version_conflicts batches'
  ).split(' '),
);
/** Segments of paths after which the name of a field follows. */
const BEFORE_FIELDS = new Set(['_source', 'fields', 'highlight']);

/**
 * Masks the paths of `filter_path`. Returns undefined if a path contains anything except keys of responses and names of fields, such as the
 * name of an aggregation.
 */
export function maskedFilterPath(paths: string, fieldName: (name: string) => string): string | undefined {
  const masked = paths.split(',').map((path) => {
    const [, sign = '', rest = ''] = /^(-?)(.*)$/s.exec(path) ?? [];
    const parts = rest.split('.');
    const fields = parts.findIndex((part) => BEFORE_FIELDS.has(part)) + 1 || parts.length;
    if (!parts.slice(0, fields).every((part) => ANSWER_KEYS.has(part))) return undefined;
    const names = parts.slice(fields);
    return (
      sign +
      [...parts.slice(0, fields), ...(names.length === 0 ? [] : [fieldName(names.join('.'))])].join('.')
    );
  });
  return masked.includes(undefined) ? undefined : masked.join(',');
}
