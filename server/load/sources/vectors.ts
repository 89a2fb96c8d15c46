/**
 * Documents with one vector each. Every document contains its number in the set, so that the document can be recognised as a true
 * neighbour. If a job has a fixed number of documents, the documents are numbered from 0, no matter which load thread sends them.
 */
import { jsonOfText } from '../../../common/json/exact';
import { LONGEST_FLOAT, writeFloat, writeWhole } from '../../../common/generators/number-text';
import { ORDINAL, VectorMaker, type VectorSet } from '../../../common/generators/vectors';
import type { SourceJob } from '../../../common/tasks/source';
import { HeldDocument, type Batch } from './batch';
import { ACTION_LINE, type BatchLimit, type DocumentSource, type Filled, type SourceSetting } from './source';
import { openVectors, type VectorFile } from './vector-file';

/** Generates or reads vectors by their numbers. */
export interface VectorReader {
  readonly dimensions: number;
  /** Number of vectors; Infinity for a generated set. */
  readonly count: number;
  /** Writes vector `number` to `into`, from index `at` on. Returns the cluster of the vector; -1 without clusters. */
  read(number: number, into: Float32Array, at: number): number;
  /** Returns document `number` as unchanged bytes; null if the set contains only vectors. */
  document(number: number): Uint8Array | null;
  close(): void;
}

/** Creates an object that generates or reads vectors by their numbers. Throws a DynoError if a file cannot be read. */
export function vectorReader(set: VectorSet, role: 'documents' | 'queries'): VectorReader {
  if (set.kind === 'generated') {
    const maker = new VectorMaker(set, role);
    return {
      dimensions: set.dimensions,
      count: Infinity,
      read: (number, into, at) => maker.make(number, into, at),
      document: () => null,
      close: () => undefined,
    };
  }
  const file: VectorFile = openVectors(set);
  return {
    dimensions: file.dimensions,
    count: file.count,
    read: (number, into, at) => {
      file.read(number, into, at);
      return -1;
    },
    document: (number) => file.document(number),
    close: () => file.close(),
  };
}

const encoded = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const OPENING = encoded(`{"${ORDINAL}":`);
const CLUSTER = encoded(',"cluster":');
const CLOSING = encoded('}\n');
const COMMA = 44;
const SPACE = 32;
const CLOSE = 125;
const LINE_FEED = 10;
/** Maximum length of the number and the cluster together, in bytes. */
const LONGEST_NUMBERS = 24;

export class VectorSource implements DocumentSource {
  private readonly reader: VectorReader;
  private readonly action: Uint8Array;
  private readonly beforeVector: Uint8Array;
  private readonly vector: Float32Array;
  private readonly longest: number;
  private next: number;
  private readonly setting: Pick<SourceSetting, 'share' | 'documents'>;
  private readonly held = new HeldDocument();

  constructor(
    { set, field }: Extract<SourceJob, { kind: 'vectors' }>,
    {
      actionLine = ACTION_LINE,
      ...setting
    }: Pick<SourceSetting, 'share' | 'documents'> & Partial<Pick<SourceSetting, 'actionLine'>>,
  ) {
    this.setting = setting;
    this.reader = vectorReader(set, 'documents');
    this.action = encoded(actionLine);
    this.beforeVector = encoded(`,${jsonOfText(field)}:`);
    this.vector = new Float32Array(this.reader.dimensions);
    this.longest =
      this.action.length +
      OPENING.length +
      CLUSTER.length +
      LONGEST_NUMBERS +
      this.beforeVector.length +
      this.reader.dimensions * (LONGEST_FLOAT + 1) +
      CLOSING.length +
      2;
    this.next = setting.documents?.from ?? setting.share.index;
  }

  fill(batch: Batch, limit: BatchLimit): Filled {
    this.held.open(batch, limit.docs);
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      if (this.next >= this.reader.count) return 'ended';
      this.add(batch, this.next);
      this.advance();
      if (this.held.takeBack(batch, limit.bytes)) break;
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    setImmediate(resume);
  }

  close(): void {
    this.held.drop();
    this.reader.close();
  }

  /**
   * Moves to the next number. A load thread first sends its own part of the numbered documents. After that, it continues with higher
   * numbers: each of n threads takes every n-th of them. This happens, for example, if the warm-up has used documents.
   */
  private advance(): void {
    const { documents, share } = this.setting;
    if (documents === undefined || this.next >= documents.of) this.next += share.of;
    else if (this.next + 1 < documents.until) this.next += 1;
    else this.next = documents.of + share.index;
  }

  private add(batch: Batch, number: number): void {
    const { reader, vector } = this;
    const document = reader.document(number);
    batch.reserve(this.longest + (document?.length ?? 0));
    batch.begin();
    batch.append(this.action);
    batch.append(OPENING);
    const out = batch.bytes;
    batch.length = writeWhole(out, batch.length, number);
    if (document !== null) {
      appendRest(batch, document);
      return;
    }
    const cluster = reader.read(number, vector, 0);
    if (cluster >= 0) {
      batch.append(CLUSTER);
      batch.length = writeWhole(out, batch.length, cluster);
    }
    batch.append(this.beforeVector);
    batch.length = writeVector(out, batch.length, vector);
    batch.append(CLOSING);
  }
}

/** Appends the fields of a document after its number. */
function appendRest(batch: Batch, document: Uint8Array): void {
  let first = 1;
  while (document[first]! <= SPACE) first += 1;
  const out = batch.bytes;
  if (document[first] !== CLOSE) {
    out[batch.length] = COMMA;
    batch.length += 1;
  }
  batch.append(document.subarray(first));
  out[batch.length] = LINE_FEED;
  batch.length += 1;
}

/** Returns the first `most` vectors of a set of queries, as JSON. Throws a DynoError if a file cannot be read. */
export function readQueries(
  set: VectorSet,
  most: number,
): { count: number; textOf: (place: number) => string } {
  const reader = vectorReader(set, 'queries');
  const vector = new Float32Array(reader.dimensions);
  const bytes = Buffer.allocUnsafe(vector.length * (LONGEST_FLOAT + 1) + 2);
  const textOf = (place: number): string => {
    reader.read(place, vector, 0);
    const end = writeVector(bytes, 0, vector);
    return bytes.toString('latin1', 0, end);
  };
  return { count: Math.min(most, reader.count), textOf };
}

const OPEN_LIST = 91;
const CLOSE_LIST = 93;

/** Writes a list of floats as JSON. Returns the offset after it. */
function writeVector(out: Uint8Array, from: number, vector: Float32Array): number {
  let at = from;
  out[at] = OPEN_LIST;
  at += 1;
  for (let i = 0; i < vector.length; i += 1) {
    if (i > 0) {
      out[at] = COMMA;
      at += 1;
    }
    at = writeFloat(out, at, vector[i]!);
  }
  out[at] = CLOSE_LIST;
  return at + 1;
}
