/**
 * Reads vectors from a file by their numbers from 0. Formats:
 * - `.fvecs`: each vector is an int32 with the number of floats, followed by the floats.
 * - `.npy`: a numpy matrix.
 * - `.ndjson`: each line is a list of numbers, or a document that contains one.
 */
import { parsePlain, stringifyPlain } from '../../../common/json/exact';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { MOST_DIMENSIONS, type FiledVectors } from '../../../common/generators/vectors';
import { DynoError, inputError, messageOf, type Problem } from '../../../common/problem';
import { answerAt } from '../../../common/requests/expectation';
import { formatBytes } from '../../../common/units/format';

export interface VectorFile {
  readonly dimensions: number;
  readonly count: number;
  /** Copies vector `number` to `into`, from index `at` on. Throws a DynoError if one of its values is not a number. */
  read(number: number, into: Float32Array, at: number): void;
  /** Returns document `number` of an `.ndjson` file as unchanged bytes. Null if the file contains only vectors. */
  document(number: number): Uint8Array | null;
  close(): void;
}

/** Maximum size of an `.ndjson` file, in bytes. Each thread that reads it keeps the whole file in memory. */
const LARGEST_TEXT = 1024 ** 3;
const LINE_FEED = 10;
const OPEN = 123;

const wrong = (file: string, message: string, more: Partial<Problem> = {}): DynoError =>
  inputError('vectors.file', file, message, more);

/** Opens a file of vectors. Throws a DynoError that names the file and the problem. */
export function openVectors({ file, field }: Pick<FiledVectors, 'file' | 'field'>): VectorFile {
  try {
    switch (extname(file).toLowerCase()) {
      case '.fvecs':
        return openFvecs(file);
      case '.npy':
        return openNpy(file);
      default:
        return readNdjson(file, field);
    }
  } catch (error) {
    if (error instanceof DynoError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(file, code === 'ENOENT' ? 'does not exist' : `cannot be read: ${messageOf(error)}`);
  }
}

interface Rows {
  file: string;
  descriptor: number;
  dimensions: number;
  count: number;
  /** Offset of the first vector in the file, in bytes. */
  start: number;
  /** Distance between the beginnings of two successive vectors in the file, in bytes. */
  stride: number;
  /** Number of bytes to skip at the beginning of each vector, before its numbers. */
  skip: number;
  /** Returns the number at the offset `place` of a vector. */
  take: (row: DataView, place: number) => number;
  /** Size of a number, in bytes. */
  bytesEach: number;
}

class RowFile implements VectorFile {
  private readonly row: Buffer;
  private readonly view: DataView;

  constructor(private readonly rows: Rows) {
    this.row = Buffer.allocUnsafeSlow(rows.dimensions * rows.bytesEach);
    this.view = new DataView(this.row.buffer, this.row.byteOffset, this.row.length);
  }

  get dimensions(): number {
    return this.rows.dimensions;
  }

  get count(): number {
    return this.rows.count;
  }

  read(number: number, into: Float32Array, at: number): void {
    const { file, descriptor, dimensions, start, stride, skip, take, bytesEach } = this.rows;
    readSync(descriptor, this.row, 0, this.row.length, start + number * stride + skip);
    for (let i = 0; i < dimensions; i += 1) {
      const value = take(this.view, i * bytesEach);
      if (!Number.isFinite(value)) throw notFinite(file, number, value);
      into[at + i] = value;
    }
  }

  document(): null {
    return null;
  }

  close(): void {
    closeSync(this.rows.descriptor);
  }
}

const notFinite = (file: string, number: number, value: number): DynoError =>
  wrong(file, `vector ${number} (from 0) contains a number that JSON cannot represent`, {
    found: `${value}`,
    allowed: 'finite numbers',
  });

const float32 = (row: DataView, place: number): number => row.getFloat32(place, true);
const float64 = (row: DataView, place: number): number => row.getFloat64(place, true);

/** Reads a half-precision number (IEEE 754). */
function float16(row: DataView, place: number): number {
  const bits = row.getUint16(place, true);
  const fraction = bits & 0x3ff;
  const exponent = (bits >>> 10) & 0x1f;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function opened<Result>(file: string, read: (descriptor: number, size: number) => Result): Result {
  const descriptor = openSync(file, 'r');
  try {
    return read(descriptor, fstatSync(descriptor).size);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

const checkDimensions = (file: string, dimensions: number): void => {
  if (dimensions >= 1 && dimensions <= MOST_DIMENSIONS) return;
  throw wrong(file, 'has vectors that Elasticsearch does not take', {
    found: `${dimensions} dimensions`,
    allowed: `1 to ${MOST_DIMENSIONS} dimensions`,
  });
};

const openFvecs = (file: string): VectorFile =>
  opened(file, (descriptor, size) => {
    const head = Buffer.alloc(4);
    if (size < 4) throw wrong(file, 'holds no vectors');
    readSync(descriptor, head, 0, 4, 0);
    const dimensions = head.readInt32LE(0);
    checkDimensions(file, dimensions);
    const stride = 4 + 4 * dimensions;
    if (size % stride !== 0)
      throw wrong(file, `has a size that is not a multiple of a vector with ${dimensions} dimensions`, {
        found: `${size} bytes`,
        allowed: `.fvecs: ${stride} bytes per vector, an int32 with the number of dimensions and as many float32`,
      });
    const count = size / stride;
    return new RowFile({
      ...{ file, descriptor, dimensions, count },
      ...{ start: 0, stride, skip: 4, take: float32, bytesEach: 4 },
    });
  });

const TYPES: Readonly<Record<string, { take: Rows['take']; bytesEach: number }>> = {
  '<f2': { take: float16, bytesEach: 2 },
  '<f4': { take: float32, bytesEach: 4 },
  '<f8': { take: float64, bytesEach: 8 },
};

/** Opens an `.npy` file (numpy.lib.format): magic, version, length of the header, header, data. */
const openNpy = (file: string): VectorFile =>
  opened(file, (descriptor, size) => {
    const prelude = Buffer.alloc(12);
    readSync(descriptor, prelude, 0, 12, 0);
    if (prelude.toString('latin1', 0, 6) !== '\x93NUMPY')
      throw wrong(file, 'is no .npy: its first bytes are others');
    const isShort = prelude[6] === 1;
    const header = Buffer.alloc(isShort ? prelude.readUInt16LE(8) : prelude.readUInt32LE(8));
    const headerAt = isShort ? 10 : 12;
    readSync(descriptor, header, 0, header.length, headerAt);
    const text = header.toString('latin1');
    const type = /'descr':\s*'([^']*)'/.exec(text)?.[1] ?? '';
    const [, rows, columns] = /'shape':\s*\((\d+),\s*(\d+),?\s*\)/.exec(text) ?? [];
    const known = TYPES[type];
    if (known === undefined || columns === undefined || !/'fortran_order':\s*False/.test(text))
      throw wrong(file, 'is no matrix that can be read row by row', {
        found: text.trim(),
        allowed:
          'two dimensions of <f2, <f4 or <f8 in C order: numpy.save(file, numpy.ascontiguousarray(matrix))',
      });
    const dimensions = Number(columns);
    const count = Number(rows);
    checkDimensions(file, dimensions);
    if (count === 0) throw wrong(file, 'holds no vectors');
    const start = headerAt + header.length;
    const stride = dimensions * known.bytesEach;
    if (size < start + count * stride)
      throw wrong(file, `ends before the last of its ${count} vectors`, {
        found: `${size} bytes`,
        allowed: `${start + count * stride} bytes`,
      });
    return new RowFile({ file, descriptor, dimensions, count, start, stride, skip: 0, ...known });
  });

class TextFile implements VectorFile {
  constructor(
    readonly dimensions: number,
    readonly count: number,
    private readonly vectors: Float32Array,
    private readonly documents: readonly (Uint8Array | null)[],
  ) {}

  read(number: number, into: Float32Array, at: number): void {
    const { dimensions, vectors } = this;
    into.set(vectors.subarray(number * dimensions, (number + 1) * dimensions), at);
  }

  document(number: number): Uint8Array | null {
    return this.documents[number] ?? null;
  }

  close(): void {
    // There is nothing to close.
  }
}

function readNdjson(file: string, field: string): VectorFile {
  const bytes = opened(file, (descriptor, size) => {
    if (size > LARGEST_TEXT)
      throw wrong(file, 'is too large for an .ndjson of vectors', {
        found: formatBytes(size),
        allowed: `at most ${formatBytes(LARGEST_TEXT)}, or an .fvecs or .npy`,
      });
    const whole = readFileSync(descriptor);
    closeSync(descriptor);
    return whole;
  });
  const found: { vector: number[]; document: Uint8Array | null }[] = [];
  let line = 0;
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, at);
    const end = feed < 0 ? bytes.length : feed;
    const text = bytes.toString('utf8', at, end).trim();
    line += 1;
    if (text !== '') {
      const begin = bytes.indexOf(text[0]!, at);
      const vector = vectorIn(text, field, `${file}:${line}`, found[0]?.vector.length);
      found.push({ vector, document: bytes[begin] === OPEN ? bytes.subarray(begin, end) : null });
    }
    at = end + 1;
  }
  const dimensions = found[0]?.vector.length;
  if (dimensions === undefined) throw wrong(file, 'holds no vectors');
  const vectors = new Float32Array(found.length * dimensions);
  found.forEach(({ vector }, number) => vectors.set(vector, number * dimensions));
  return new TextFile(
    dimensions,
    found.length,
    vectors,
    found.map(({ document }) => document),
  );
}

function vectorIn(text: string, field: string, at: string, dimensions: number | undefined): number[] {
  let line: unknown;
  try {
    line = parsePlain(text);
  } catch (error) {
    throw wrong(at, `is not JSON: ${messageOf(error)}`);
  }
  const value = Array.isArray(line) ? (line as unknown[]) : answerAt(line, field.split('.'));
  const shown = (): string => stringifyPlain(value ?? line).slice(0, 100);
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'number'))
    throw wrong(at, `has no vector in ${field}`, {
      found: shown(),
      allowed: `a list of numbers, or a document with one in ${field}`,
    });
  checkDimensions(at, value.length);
  if (dimensions !== undefined && value.length !== dimensions)
    throw wrong(at, 'has a vector of another length than the first line', {
      found: `${value.length} dimensions`,
      allowed: `${dimensions} dimensions`,
    });
  return value as number[];
}
