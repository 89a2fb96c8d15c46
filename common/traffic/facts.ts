/**
 * Reads facts from a response: those that a replay compares, and those that later requests use. This is done for every recorded and every
 * replayed response. Therefore, the code scans the text only once and skips the documents.
 */
import { failureOf } from '../elasticsearch/answer';
import { JsonCursor } from '../json/cursor';
import { parsePlain } from '../json/exact';
import type { TrafficKind } from './kind';
import type { AnswerFacts, DocumentVersion } from './record';

type Reader = (cursor: JsonCursor, facts: AnswerFacts, status: number) => void;

/**
 * Functions that read the members of an object in a response. The key is the name of the member. They add what they read to `facts`, the
 * facts of the whole response.
 */
type Members = Readonly<Record<string, Reader>>;

/** Reads the object at the cursor with the functions in `members`. Skips members for which there is no function. */
const readObject = (cursor: JsonCursor, facts: AnswerFacts, status: number, members: Members): void =>
  cursor.members((key) => {
    if (Object.hasOwn(members, key)) members[key]!(cursor, facts, status);
  });

const readError: Reader = (cursor, facts, status) => {
  facts.error ??= failureOf(cursor.value(), `http-${status}`).type;
};

/**
 * Members that occur in the responses of most APIs. If a response contains several results, like that of `_msearch`, their numbers are
 * added up.
 */
const COMMON: Members = {
  error: readError,
  timed_out: (cursor, facts) => {
    if (cursor.boolean() === true) facts.timedOut = true;
  },
  _shards: (cursor, facts) =>
    cursor.members((key) => {
      const failed = key === 'failed' ? cursor.integer() : undefined;
      if (failed !== undefined) facts.failedShards = (facts.failedShards ?? 0) + failed;
    }),
};

/** Reads `hits.total`. It is a number before version 7 and with `rest_total_hits_as_int`, otherwise an object. */
function readTotal(cursor: JsonCursor, facts: AnswerFacts): void {
  let value: number | undefined;
  if (!cursor.isObject) value = cursor.integer();
  else
    cursor.members((key) => {
      if (key === 'value') value = cursor.integer();
      else if (key === 'relation' && cursor.string() === 'gte') facts.isLowerBound = true;
    });
  // With `rest_total_hits_as_int`, the total is -1 if the hits were not counted.
  if (value !== undefined && value >= 0) facts.total = (facts.total ?? 0) + value;
}

/** The facts about one document that have been read from the response so far. */
interface ReadDocument {
  index?: string | undefined;
  id?: string | undefined;
  seqNo?: number | undefined;
  primaryTerm?: number | undefined;
}

/** Reads a member that identifies a document or its version, and stores it in `document`. Returns false if `key` is not such a member. */
function readDocumentPart(key: string, cursor: JsonCursor, document: ReadDocument): boolean {
  if (key === '_index') document.index = cursor.string();
  else if (key === '_id') document.id = cursor.string();
  else if (key === '_seq_no') document.seqNo = cursor.integer();
  else if (key === '_primary_term') document.primaryTerm = cursor.integer();
  else return false;
  return true;
}

/**
 * Adds the version of a document to the facts, if the response contains the document's index, id, sequence number and primary term.
 * Elasticsearch reports -2 as the sequence number of an unknown version.
 */
function addVersion(facts: AnswerFacts, { index, id, seqNo = -1, primaryTerm }: ReadDocument): void {
  if (index === undefined || id === undefined || seqNo < 0 || primaryTerm === undefined) return;
  const version: DocumentVersion = { index, id, seqNo, primaryTerm };
  if (facts.versions === undefined) facts.versions = [version];
  else facts.versions.push(version);
}

const countElements = (cursor: JsonCursor): number => {
  let count = 0;
  cursor.elements(() => {
    count += 1;
  });
  return count;
};

/** Counts the elements of a list, which are hits, rows or terms, and adds their number to `hits`. */
const countHits: Reader = (cursor, facts) => {
  facts.hits = (facts.hits ?? 0) + countElements(cursor);
};

const readHits: Reader = (cursor, facts) =>
  cursor.members((key) => {
    if (key === 'total') readTotal(cursor, facts);
    else if (key === 'events' || key === 'sequences') countHits(cursor, facts, 0);
    else if (key === 'hits') {
      let count = 0;
      cursor.elements(() => {
        count += 1;
        const document: ReadDocument = {};
        cursor.members((part) => void readDocumentPart(part, cursor, document));
        addVersion(facts, document);
      });
      facts.hits = (facts.hits ?? 0) + count;
    }
  });

const SEARCH: Members = {
  ...COMMON,
  hits: readHits,
  _scroll_id: (cursor, facts) => {
    facts.scrollId = cursor.string();
  },
  pit_id: (cursor, facts) => {
    facts.pitId = cursor.string();
  },
};

/**
 * Returns a function that reads a list of results and counts those with an error. `read`: reads one result, and returns whether it has an
 * error.
 */
const readItems =
  (read: (cursor: JsonCursor, facts: AnswerFacts, status: number) => boolean): Reader =>
  (cursor, facts, status) => {
    facts.items = 0;
    facts.failedItems = 0;
    cursor.elements(() => {
      facts.items! += 1;
      if (read(cursor, facts, status)) facts.failedItems! += 1;
    });
  };

const readResponses = readItems((cursor, facts, status) => {
  let isFailed = false;
  cursor.members((key) => {
    if (key === 'error') isFailed = true;
    if (Object.hasOwn(SEARCH, key)) SEARCH[key]!(cursor, facts, status);
  });
  return isFailed;
});

const readDocs = readItems((cursor, facts, status) => {
  facts.hits ??= 0;
  let isFailed = false;
  const document: ReadDocument = {};
  cursor.members((key) => {
    if (key === 'found') facts.hits! += cursor.boolean() === true ? 1 : 0;
    else if (key === 'error') {
      isFailed = true;
      readError(cursor, facts, status);
    } else readDocumentPart(key, cursor, document);
  });
  addVersion(facts, document);
  return isFailed;
});

/** Returns a function that reads the items of a bulk response, and adds the id of each item to `ids`. */
const readBulkItems = (ids: (string | undefined)[]): Reader =>
  readItems((cursor, facts) => {
    let isFailed = false;
    const document: ReadDocument = {};
    // An item has a single member, whose key is the action.
    cursor.members(() => {
      let status = 0;
      let error: unknown;
      cursor.members((key) => {
        if (key === 'status') status = cursor.integer() ?? 0;
        else if (key === 'error') {
          isFailed = true;
          error = cursor.value();
        } else readDocumentPart(key, cursor, document);
      });
      if (isFailed) facts.error ??= failureOf(error, `http-${status}`).type;
    });
    ids.push(document.id);
    addVersion(facts, document);
    return isFailed;
  });

const readFound: Reader = (cursor, facts) => {
  facts.found = cursor.boolean();
};

/** Reads the response to a request about one document: a get or a write. `isGenerated`: whether the cluster generated the id. */
function readDocument(cursor: JsonCursor, facts: AnswerFacts, status: number, isGenerated: boolean): void {
  const document: ReadDocument = {};
  cursor.members((key) => {
    if (key === 'found') facts.found = cursor.boolean();
    else if (key === 'result') facts.result = cursor.string();
    else if (Object.hasOwn(COMMON, key)) COMMON[key]!(cursor, facts, status);
    else readDocumentPart(key, cursor, document);
  });
  addVersion(facts, document);
  if (isGenerated && document.id !== undefined && facts.error === undefined)
    facts.generatedIds = [document.id];
}

const addItems: Reader = (cursor, facts) => {
  facts.items = (facts.items ?? 0) + (cursor.integer() ?? 0);
};

const BY_QUERY: Members = {
  ...COMMON,
  total: (cursor, facts) => {
    facts.total = cursor.integer();
  },
  created: addItems,
  updated: addItems,
  deleted: addItems,
  failures: (cursor, facts) => {
    facts.failedItems = (facts.failedItems ?? 0) + countElements(cursor);
  },
  version_conflicts: (cursor, facts) => {
    facts.failedItems = (facts.failedItems ?? 0) + (cursor.integer() ?? 0);
  },
};

const OPEN_POINT_IN_TIME: Members = {
  ...COMMON,
  id: SEARCH['pit_id']!,
  pit_id: SEARCH['pit_id']!,
};

/**
 * Functions that read the responses to each kind of request. The key is the name of the kind. For a kind that is not listed, only {@link
 * COMMON} is used.
 */
const MEMBERS: Readonly<Record<string, Members>> = {
  search: SEARCH,
  'search-template': SEARCH,
  'knn-search': SEARCH,
  eql: SEARCH,
  scroll: SEARCH,
  msearch: { ...COMMON, responses: readResponses },
  'msearch-template': { ...COMMON, responses: readResponses },
  count: {
    ...COMMON,
    count: (cursor, facts) => {
      facts.total = cursor.integer();
    },
  },
  mget: { ...COMMON, docs: readDocs },
  explain: { ...COMMON, matched: readFound },
  validate: { ...COMMON, valid: readFound },
  termvectors: { ...COMMON, found: readFound },
  'terms-enum': { ...COMMON, terms: countHits },
  esql: { ...COMMON, values: countHits },
  sql: { ...COMMON, rows: countHits, datarows: countHits },
  'update-by-query': BY_QUERY,
  'delete-by-query': BY_QUERY,
  'close-scroll': { ...COMMON, num_freed: addItems },
  'close-point-in-time': {
    ...COMMON,
    num_freed: addItems,
    pits: (cursor, facts) => {
      facts.items = (facts.items ?? 0) + countElements(cursor);
    },
  },
  'open-point-in-time': OPEN_POINT_IN_TIME,
};

/** Kinds of requests whose responses are about one document. */
const ABOUT_A_DOCUMENT = new Set(['get', 'index', 'update', 'delete']);

const LINE_END = 10;
const decoder = new TextDecoder();

/** Matches the usual form of a bulk action with an id. In this form, no other string can be mistaken for the key `_id`. */
const WITH_ID = /^\{"([a-z]+)":\{(?:"_index":"[^"\\]*",)?"_id":"/;

function readAction(action: string): { name: string; hasId: boolean } {
  const usual = WITH_ID.exec(action);
  if (usual !== null) return { name: usual[1]!, hasId: true };
  const [[name, parameters] = ['', null]] = Object.entries(parsePlain(action) as object);
  return { name, hasId: (parameters as { _id?: unknown } | null)?._id != null };
}

/** Returns the positions of those actions in a bulk request that have no id, and the number of all actions. */
function actionsWithoutId(request: Uint8Array): { positions: number[]; actions: number } {
  const positions: number[] = [];
  let actions = 0;
  for (let from = 0, isSource = false; from < request.length;) {
    const end = request.indexOf(LINE_END, from);
    const line = request.subarray(from, end < 0 ? request.length : end);
    from = end < 0 ? request.length : end + 1;
    if (isSource) {
      isSource = false;
      continue;
    }
    const action = decoder.decode(line).trim();
    if (action === '') continue;
    const { name, hasId } = readAction(action);
    if (!hasId && name !== 'delete') positions.push(actions);
    actions += 1;
    isSource = name !== 'delete';
  }
  return { positions, actions };
}

/**
 * Returns the ids that the cluster generated for a bulk request, in the order of the actions without an id. Returns undefined if all
 * actions have an id, or if the numbers of items in request and response differ.
 */
function generatedIds(ids: readonly (string | undefined)[], request: Uint8Array): string[] | undefined {
  try {
    const { positions, actions } = actionsWithoutId(request);
    if (positions.length === 0 || actions !== ids.length) return undefined;
    // The id of an item that failed before it got one is ''. The item keeps its position.
    return positions.map((at) => ids[at] ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Returns the facts of a response. Returns null if Dyno cannot read the response: because it is not JSON, like responses of `_cat` or in
 * CBOR, or because it is incomplete.
 *
 * `body`: body of the response, decoded from its content encoding; empty for a response without a body. `request`: decoded body of the
 * request. It is necessary for a bulk request, because the response does not show which ids the cluster generated. Without it, the facts of
 * a bulk request lack `generatedIds`.
 */
export function factsOf(
  kind: TrafficKind,
  status: number,
  body: Uint8Array,
  request?: Uint8Array | null,
): AnswerFacts | null {
  const facts: AnswerFacts = {};
  const isGet = kind.name === 'get' || kind.name === 'get-source';
  if (isGet && (body.length === 0 || kind.name === 'get-source')) {
    if (status === 200 || status === 404) facts.found = status === 200;
    // Here the body of the answer is the source of the document.
    if (status === 200) return facts;
  }
  if (body.length === 0) return facts;
  try {
    const cursor = new JsonCursor(decoder.decode(body));
    if (!cursor.isObject) return null;
    if (ABOUT_A_DOCUMENT.has(kind.name))
      readDocument(cursor, facts, status, kind.name === 'index' && kind.id === undefined);
    else if (kind.name === 'bulk') {
      const ids: (string | undefined)[] = [];
      readObject(cursor, facts, status, { ...COMMON, items: readBulkItems(ids) });
      const generated = request == null ? undefined : generatedIds(ids, request);
      if (generated !== undefined) facts.generatedIds = generated;
    } else readObject(cursor, facts, status, MEMBERS[kind.name] ?? COMMON);
    return cursor.isAtEnd ? facts : null;
  } catch {
    // Not JSON.
    return null;
  }
}
