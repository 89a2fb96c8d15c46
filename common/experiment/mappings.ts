/** The mappings that come with Dyno: each kind of data has one of its name. Only types that Elasticsearch's core has. */
import type { MappingName } from './definition';

type Properties = Record<string, object>;

/** Every name with the same type. */
const all = (type: object, ...names: string[]): Properties =>
  Object.fromEntries(names.map((name) => [name, type]));

const keyword = { type: 'keyword' };
const integer = { type: 'integer' };
const long = { type: 'long' };
const double = { type: 'double' };
const date = { type: 'date' };
const text = { type: 'text' };
const ip = { type: 'ip' };

/** As in the guidance's appendix; a string that was not analyzed is a keyword today. */
const systembase: Properties = {
  '@timestamp': date,
  ...all(keyword, 'name', 'message'),
  severityCode: integer,
  ...all(keyword, 'severity', 'hostname', 'hostip'),
  ...all(integer, 'pid', 'tid'),
  ...all(keyword, 'appId', 'appName'),
  ...all(integer, 'appVersion', 'type', 'subtype'),
  ...all(keyword, 'correlationId', 'os', 'osVersion', 'parameters'),
};

const httpEvents: Properties = {
  ...all(
    keyword,
    'Organization',
    'CustomField1',
    'CustomField2',
    'CustomField3',
    'CustomField4',
    'CustomField5',
  ),
  DateTimeReceivedUtc: { type: 'date', format: 'strict_date_optional_time' },
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
 * Aggregated from memory: fielddata is built of the terms on the heap when a query first asks, as it was for all fields
 * before doc values. Only `text` still has it; with the `keyword` analyzer it holds one term a document, as a keyword does.
 */
const fielddata = {
  type: 'text',
  analyzer: 'keyword',
  fielddata: true,
  index_options: 'docs',
  norms: false,
};

/** Fields that `azure-queries` aggregates: strings, which fielddata serves, and a date and an address, for which there is none. */
const BY_FIELDDATA = ['Organization', 'Rating', 'SourceIpCountryCode'];
const BY_DOC_VALUES = ['DateTimeReceivedUtc', 'SourceIp'];

/** {@link httpEvents} without doc values wherever its queries can do without. */
const httpEventsNoDocValues: Properties = Object.fromEntries(
  Object.entries(httpEvents).map(([name, type]) => {
    if (BY_DOC_VALUES.includes(name)) return [name, type];
    return [name, BY_FIELDDATA.includes(name) ? fielddata : { ...type, doc_values: false }];
  }),
);

const apacheLogs: Properties = {
  '@timestamp': date,
  clientip: ip,
  ...all(keyword, 'ident', 'auth', 'verb'),
  request: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 2048 } } },
  httpversion: keyword,
  response: { type: 'short' },
  bytes: long,
  referrer: keyword,
  agent: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 1024 } } },
  message: text,
};

/** `options` are documents of their own within each product, as facets need them: a value belongs to its name. */
const storefront: Properties = {
  store_id: integer,
  name: text,
  brand_name: { type: 'text', fields: { keyword } },
  sku: keyword,
  price: { type: 'float' },
  inventory_tracking: keyword,
  inventory_level: integer,
  is_visible: { type: 'boolean' },
  categories: keyword,
  keywords: text,
  options: { type: 'nested', properties: all(keyword, 'name', 'value') },
  date_modified: date,
  description: text,
};

/** What the grok pattern of a combined access log gives, and what a line that it does not match has. */
const apacheAccessLines: Properties = {
  ...apacheLogs,
  ...all(keyword, 'timestamp', 'rawrequest', 'tags'),
};

/** Bodies of `mappings` as an index is created with them. */
export const MAPPINGS_BY_NAME: Record<MappingName, object> = {
  systembase: { properties: systembase },
  // The guidance's index did not map the two big fields, so they were analyzed strings.
  'systembase-big': { properties: { ...systembase, data1: text, data2: text } },
  'apache-logs': { properties: apacheLogs },
  'apache-access-lines': { properties: apacheAccessLines },
  'http-events': { properties: httpEvents },
  storefront: { properties: storefront },
  'http-events-no-doc-values': { properties: httpEventsNoDocValues },
};
