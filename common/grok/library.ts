/**
 * The grok patterns that come with Dyno. They have the usual names, but were written for Dyno. They use only the syntax that JavaScript and
 * Elasticsearch's grok (Oniguruma) have in common.
 *
 * No pattern can cause catastrophic backtracking, because no repetition contains another repetition that could match the same text.
 */
export const GROK_LIBRARY: Readonly<Record<string, string>> = {
  // Numbers and words
  INT: '[+-]?[0-9]+',
  POSINT: '\\b[1-9][0-9]*\\b',
  NONNEGINT: '\\b[0-9]+\\b',
  NUMBER: '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)',
  BASE10NUM: '%{NUMBER}',
  BASE16NUM: '[+-]?(?:0x)?[0-9A-Fa-f]+',
  WORD: '\\b\\w+\\b',
  NOTSPACE: '\\S+',
  SPACE: '\\s*',
  DATA: '.*?',
  GREEDYDATA: '.*',
  QUOTEDSTRING: '(?:"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\')',
  QS: '%{QUOTEDSTRING}',
  UUID: '[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}',
  // Who and where
  USERNAME: '[A-Za-z0-9._-]+',
  USER: '%{USERNAME}',
  EMAILADDRESS: "[A-Za-z0-9!#$&'*+/=?^_`|~.-]+@%{HOSTNAME}",
  IPV4: '(?<![0-9])(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?![0-9])',
  IPV6: '(?:(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|(?=[0-9A-Fa-f:]*::)(?:[0-9A-Fa-f]{0,4}:){2,7}(?:%{IPV4}|[0-9A-Fa-f]{0,4}))(?:%[0-9A-Za-z]+)?',
  IP: '(?:%{IPV4}|%{IPV6})',
  HOSTNAME: '\\b[0-9A-Za-z][0-9A-Za-z-]{0,62}(?:\\.[0-9A-Za-z][0-9A-Za-z-]{0,62})*\\.?',
  IPORHOST: '(?:%{IP}|%{HOSTNAME})',
  HOSTPORT: '%{IPORHOST}:%{POSINT}',
  MAC: '(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}',
  // Paths
  UNIXPATH: '(?:/[^\\s/]*)+',
  WINPATH: '(?:[A-Za-z]:|\\\\)(?:\\\\[^\\\\?*]*)+',
  PATH: '(?:%{UNIXPATH}|%{WINPATH})',
  URIPROTO: '[A-Za-z][A-Za-z0-9+.-]*',
  URIHOST: '%{IPORHOST}(?::%{POSINT})?',
  URIPATH: "(?:/[A-Za-z0-9$.+!*'(){},~:;=@#%&_-]*)+",
  URIPARAM: "\\?[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?<>\\[\\]-]*",
  URIPATHPARAM: '%{URIPATH}(?:%{URIPARAM})?',
  URI: '%{URIPROTO}://(?:%{USER}(?::[^@\\s]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?',
  // Dates and times
  MONTH:
    '\\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\b',
  MONTHNUM: '(?:0?[1-9]|1[0-2])',
  MONTHNUM2: '(?:0[1-9]|1[0-2])',
  MONTHDAY: '(?:0[1-9]|[12][0-9]|3[01]|[1-9])',
  DAY: '\\b(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)\\b',
  YEAR: '[0-9]{4}',
  HOUR: '(?:2[0-3]|[01]?[0-9])',
  MINUTE: '[0-5][0-9]',
  SECOND: '(?:[0-5]?[0-9]|60)(?:[.,:][0-9]+)?',
  TIME: '(?<![0-9])%{HOUR}:%{MINUTE}(?::%{SECOND})?(?![0-9])',
  ISO8601_TIMEZONE: '(?:Z|[+-]%{HOUR}(?::?%{MINUTE}))',
  TIMESTAMP_ISO8601:
    '%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?(?:%{ISO8601_TIMEZONE})?',
  HTTPDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}',
  SYSLOGTIMESTAMP: '%{MONTH} +%{MONTHDAY} %{TIME}',
  // System logs
  PROG: '[!-Z\\\\^-~]+',
  SYSLOGPROG: '%{PROG:program}(?:\\[%{POSINT:pid:int}\\])?',
  SYSLOGHOST: '%{IPORHOST}',
  SYSLOGBASE: '%{SYSLOGTIMESTAMP:timestamp} %{SYSLOGHOST:logsource} %{SYSLOGPROG}:',
  SYSLOGLINE: '%{SYSLOGBASE} %{GREEDYDATA:text}',
  LOGLEVEL:
    '(?:[Tt]race|TRACE|[Dd]ebug|DEBUG|[Nn]otice|NOTICE|[Ii]nfo|INFO|[Ww]arn(?:ing)?|WARN(?:ING)?|[Ee]rr(?:or)?|ERR(?:OR)?|[Cc]rit(?:ical)?|CRIT(?:ICAL)?|[Ff]atal|FATAL|[Ss]evere|SEVERE)',
  // Web servers
  /** User names may contain a backslash: `CORP\\jane`. */
  HTTPDUSER: '[^\\s"\\[]+',
  HTTPDQUOTED: '(?:[^"\\\\]|\\\\.)*',
  /** An address, or any name that the server knows. Names of containers may contain an underscore. */
  HTTPDCLIENT: '(?:%{IP}|[^\\s,:"\\[]+)',
  /**
   * The client according to `X-Forwarded-For`: `-` means no client, and otherwise the first address is the client. A virtual host may come
   * before the address, and a port after it.
   */
  HTTPDFROM:
    '(?:[^\\s,:"]+:[0-9]{1,5} (?=\\S+ \\S+ \\S))?(?:-(?![^\\s,])|%{HTTPDCLIENT:clientip})(?::[0-9]{1,5})?(?:, ?[^\\s,]+)*',
  COMMONAPACHELOG:
    '%{HTTPDFROM} %{HTTPDUSER:ident} (?:%{HTTPDUSER:auth}|"%{HTTPDQUOTED:auth}") \\[%{HTTPDATE:timestamp}\\] "(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{HTTPDQUOTED:rawrequest})" (?:%{INT:response:int}|-) (?:%{INT:bytes:long}|-)',
  /** The user agent is the last field. Because nothing follows it, it may contain unescaped quotes. */
  COMBINEDAPACHELOG:
    '%{COMMONAPACHELOG} "%{HTTPDQUOTED:referrer}" (?:"%{HTTPDQUOTED:agent}"(?!\\S)|"%{GREEDYDATA:agent}"$)',
};

/** Names of the patterns, in the order of the library. */
export const LIBRARY_NAMES: readonly string[] = Object.keys(GROK_LIBRARY);
