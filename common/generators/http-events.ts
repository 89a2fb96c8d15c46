/**
 * `http-events`: web security events with 32 fields, like the documents in Microsoft's guidance on queries ("Maximizing Data Aggregation
 * and Query Performance with Elasticsearch on Azure"). They have 200 organizations, 20 ratings, five empty custom fields, addresses and
 * places. The guidance does not list its places, so Dyno uses other places.
 */
import { createRandom, type Random } from '../random';
import { defineGenerator } from './generator';
import { all, date, double, ip, keyword, long } from './mapping';
import { writeAddress, writeDecimal, writeWhole } from './number-text';
import { choice, evenDraw, text, weightedDraw, type Part } from './template';

const ORGANIZATIONS = Array.from(
  { length: 200 },
  (_, number) => `Organization${String(number + 1).padStart(3, '0')}`,
);
const RATINGS = [
  'Adware',
  'Anonymizer',
  'Backdoor',
  'Benign',
  'Botnet',
  'BruteForce',
  'Clean',
  'CommandAndControl',
  'Crawler',
  'CredentialTheft',
  'Exploit',
  'Malware',
  'Phishing',
  'Probe',
  'Proxy',
  'Ransomware',
  'Scanner',
  'Spam',
  'Suspicious',
  'Unknown',
];

/** Country, region, city and relative frequency of each place. */
const PLACES: readonly (readonly [string, string, string, number])[] = [
  ['US', 'Washington', 'Seattle', 12],
  ['US', 'California', 'San Francisco', 11],
  ['US', 'New York', 'New York', 13],
  ['US', 'Texas', 'Dallas', 7],
  ['US', 'Virginia', 'Ashburn', 14],
  ['CN', 'Beijing', 'Beijing', 13],
  ['CN', 'Guangdong', 'Shenzhen', 8],
  ['CN', 'Zhejiang', 'Hangzhou', 6],
  ['DE', 'Hesse', 'Frankfurt', 8],
  ['DE', 'Berlin', 'Berlin', 4],
  ['GB', 'England', 'London', 9],
  ['FR', 'Ile-de-France', 'Paris', 7],
  ['NL', 'North Holland', 'Amsterdam', 8],
  ['RU', 'Moscow', 'Moscow', 8],
  ['RU', 'Saint Petersburg', 'Saint Petersburg', 3],
  ['IN', 'Maharashtra', 'Mumbai', 7],
  ['IN', 'Karnataka', 'Bengaluru', 6],
  ['BR', 'Sao Paulo', 'Sao Paulo', 6],
  ['JP', 'Tokyo', 'Tokyo', 6],
  ['KR', 'Seoul', 'Seoul', 5],
  ['VN', 'Hanoi', 'Hanoi', 4],
  ['ID', 'Jakarta', 'Jakarta', 4],
  ['SG', 'Singapore', 'Singapore', 5],
  ['CA', 'Ontario', 'Toronto', 4],
  ['AU', 'New South Wales', 'Sydney', 3],
  ['PL', 'Masovia', 'Warsaw', 3],
  ['UA', 'Kyiv', 'Kyiv', 3],
  ['TR', 'Istanbul', 'Istanbul', 3],
  ['IT', 'Lombardy', 'Milan', 3],
  ['ES', 'Madrid', 'Madrid', 3],
  ['SE', 'Stockholm', 'Stockholm', 2],
  ['ZA', 'Gauteng', 'Johannesburg', 2],
  ['MX', 'Mexico City', 'Mexico City', 2],
  ['AR', 'Buenos Aires', 'Buenos Aires', 2],
  ['NG', 'Lagos', 'Lagos', 1],
  ['EG', 'Cairo', 'Cairo', 1],
  ['IE', 'Leinster', 'Dublin', 3],
  ['CH', 'Zurich', 'Zurich', 1],
  ['FI', 'Uusimaa', 'Helsinki', 1],
  ['CL', 'Santiago', 'Santiago', 1],
];

/** Minimum length of the request text, in characters. */
const SHORTEST_REQUEST = 10;
/** Maximum length of the request text, in characters. */
const LONGEST_REQUEST = 200;

const written = (longest: number, write: (random: Random, out: Uint8Array, at: number) => number): Part => ({
  kind: 'written',
  longest,
  write,
});

/**
 * Returns 65,736 random characters. Each request text is a part of them with random position and length, which makes about twelve million
 * different texts possible.
 */
function letters(): Uint8Array {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.= ';
  const random = createRandom(0x5eed);
  return Uint8Array.from({ length: 65_536 + LONGEST_REQUEST }, () =>
    alphabet.charCodeAt(random.below(alphabet.length)),
  );
}

const port = (least: number): Part =>
  written(5, (random, out, at) => writeWhole(out, at, least + random.below(65_536 - least)));

function document(): Part[] {
  const organization = choice(evenDraw('organization', ORGANIZATIONS.length), ORGANIZATIONS);
  const place = weightedDraw(
    'place',
    PLACES.map(([, , , weight]) => weight),
  );
  const ofPlace = (field: 0 | 1 | 2): Part =>
    choice(
      place,
      PLACES.map((entry) => entry[field]),
    );
  const methods = ['POST', 'GET', 'PUT'];
  const source = letters();
  // A document contains its location twice, as two numbers and as one text. Both must show the same place.
  let latitude = 0;
  let longitude = 0;
  return [
    text('{"DateTimeReceivedUtc":"'),
    { kind: 'time', format: 'iso' },
    text('","Organization":"'),
    organization,
    text(
      '","CustomField1":"","CustomField2":"","CustomField3":"","CustomField4":"","CustomField5":"","Host":""',
    ),
    text(',"OrganizationName":"'),
    organization,
    text('","HttpMethod":"'),
    choice(evenDraw('method', methods.length), methods),
    text('","HttpReferrer":"","HttpRequest":"'),
    written(LONGEST_REQUEST, (random, out, at) => {
      const from = random.next() >>> 16;
      const length = SHORTEST_REQUEST + random.below(LONGEST_REQUEST - SHORTEST_REQUEST + 1);
      for (let i = 0; i < length; i += 1) out[at + i] = source[from + i]!;
      return at + length;
    }),
    text('","HttpUserAgent":"","HttpVersion":"","SourceIp":"'),
    written(15, (random, out, at) => writeAddress(out, at, random.next())),
    text('","SourceIpAreaCode":0,"SourceIpAsnNr":"AS'),
    written(5, (random, out, at) => writeWhole(out, at, 10_000 + random.below(90_000))),
    text('","SourceIpBase10":500,"SourceIpCity":"'),
    ofPlace(2),
    text('","SourceIpCountryCode":"'),
    ofPlace(0),
    text('","SourceIpRegion":"'),
    ofPlace(1),
    text('","SourceIpLatitude":'),
    written(8, (random, out, at) => {
      latitude = random.below(1_800_001) - 900_000;
      return writeDecimal(out, at, latitude);
    }),
    text(',"SourceIpLongitude":'),
    written(9, (random, out, at) => {
      longitude = random.below(3_600_001) - 1_800_000;
      return writeDecimal(out, at, longitude);
    }),
    text(',"SourceIpMetroCode":0,"SourceIpPostalCode":"","SourceLatLong":"'),
    written(8, (_random, out, at) => writeDecimal(out, at, latitude)),
    text(','),
    written(9, (_random, out, at) => writeDecimal(out, at, longitude)),
    text('","SourcePort":"'),
    port(1024),
    text('","SourcedFrom":"MonitoringCollector","TargetIp":"'),
    // Addresses range from 0.0.100.100 to 255.9.100.100, as in the guidance.
    written(3, (random, out, at) => writeWhole(out, at, random.below(256))),
    text('.'),
    written(1, (random, out, at) => writeWhole(out, at, random.below(10))),
    text('.100.100","TargetPort":"'),
    port(1),
    text('","Rating":"'),
    choice(evenDraw('rating', RATINGS.length), RATINGS),
    text('","UseHumanReadableDateTimes":false}'),
  ];
}

const properties = {
  ...all(
    keyword,
    'Organization',
    'CustomField1',
    'CustomField2',
    'CustomField3',
    'CustomField4',
    'CustomField5',
  ),
  DateTimeReceivedUtc: { ...date, format: 'strict_date_optional_time' },
  ...all(
    keyword,
    'Host',
    'HttpMethod',
    'HttpReferrer',
    'HttpRequest',
    'HttpUserAgent',
    'HttpVersion',
    'OrganizationName',
  ),
  SourceIp: ip,
  SourceIpAreaCode: long,
  SourceIpAsnNr: keyword,
  SourceIpBase10: long,
  ...all(keyword, 'SourceIpCity', 'SourceIpCountryCode'),
  ...all(double, 'SourceIpLatitude', 'SourceIpLongitude'),
  SourceIpMetroCode: long,
  ...all(keyword, 'SourceIpPostalCode', 'SourceIpRegion'),
  SourceLatLong: { type: 'geo_point' },
  ...all(keyword, 'SourcePort', 'SourcedFrom'),
  TargetIp: ip,
  ...all(keyword, 'TargetPort', 'Rating'),
  UseHumanReadableDateTimes: { type: 'boolean' },
};

/**
 * Mapping of a field whose aggregations use fielddata instead of doc values. Elasticsearch builds fielddata on the heap at the first query,
 * as it did for all fields before doc values existed.
 *
 * Today, only `text` fields support fielddata. The `keyword` analyzer makes the whole value one term, as in a keyword field.
 */
const fielddata = {
  type: 'text',
  analyzer: 'keyword',
  fielddata: true,
  index_options: 'docs',
  norms: false,
};

/** Fields that the experiment `azure-queries` aggregates with fielddata. Fielddata is possible for them, because they contain strings. */
const BY_FIELDDATA = ['Organization', 'Rating', 'SourceIpCountryCode'];
/** Fields that the experiment `azure-queries` aggregates with doc values, because dates and addresses do not support fielddata. */
const BY_DOC_VALUES = ['DateTimeReceivedUtc', 'SourceIp'];

/** Mappings of all fields for the experiment `azure-queries`. The fields that its queries do not aggregate have no doc values. */
const noDocValues: Record<string, object> = Object.fromEntries(
  Object.entries(properties).map(([name, type]) => {
    if (BY_DOC_VALUES.includes(name)) return [name, type];
    return [name, BY_FIELDDATA.includes(name) ? fielddata : { ...type, doc_values: false }];
  }),
);

export const httpEvents = defineGenerator({
  name: 'http-events',
  label: { id: 'dyno.editor.source.httpEvents', text: 'Web requests with 32 fields (http-events)' },
  documentBytes: 1000,
  mapping: { properties },
  otherMappings: { 'http-events-no-doc-values': { properties: noDocValues } },
  document,
});
