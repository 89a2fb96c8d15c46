/**
 * The form of a traffic file on disk, `*.traffic.gz`.
 *
 * A traffic file is a sequence of gzip members (RFC 1952, 2.2). Each member contains whole lines of NDJSON, so `zcat FILE | jq` works, and
 * so does every tool that reads gzip. The members of a file are, in this order:
 *
 * 1. the header: one line, a `TrafficHeader`;
 * 2. the blocks: the records, see `lines.ts`;
 * 3. the index: one line with the position of each block, see `lines.ts`;
 * 4. the end: an empty member of fixed size, which contains the position of the index.
 *
 * As in BGZF (the SAM/BAM format specification, 4.1), an extra field in the gzip header of each member contains the length of the member.
 * A reader can therefore skip from member to member without decompressing them, and knows how many records a damaged block contains.
 * gzip's CRC-32 is the checksum. If the recorder is killed, the index and the end are missing, and the last block may be incomplete. The
 * reader then finds the blocks by skipping from member to member.
 *
 * The extra field (RFC 1952, 2.3.1.1) has the subfield `DY` with 30 bytes, little-endian:
 *
 * | bytes | content |
 * | --- | --- |
 * | 1 | version of the form, 1 |
 * | 1 | kind of the member: 1 header, 2 block, 3 index, 4 end |
 * | 4 | length of the whole member, in bytes |
 * | 4 | number of the member in the file, from 0 |
 * | 4 | number of records in the block |
 * | 8 | time of the first record, in µs after the start of the recording |
 * | 8 | time of the last record. In the end member: position of the index in the file, in bytes |
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

export type MemberKind = 'header' | 'block' | 'index' | 'end';

export interface Member {
  kind: MemberKind;
  /** Length of the whole member, in bytes. */
  bytes: number;
  /** Position among the members of the file, from 0. */
  number: number;
  /**
   * Number of records in the block. A record whose body has parts in earlier blocks counts only in the block that contains the record's own
   * line.
   */
  records: number;
  /** Time of the first record of the block, in µs after the start of the recording. 0 if the member contains no records. */
  firstAt: number;
  /** Time of the last record of the block, in µs after the start of the recording. 0 if the member contains no records. */
  lastAt: number;
}

const KINDS: readonly MemberKind[] = ['header', 'block', 'index', 'end'];
const VERSION = 1;
const FIELD_BYTES = 30;

/** Length in bytes of the gzip header of a member: 10 bytes, the length of the extra field, and one subfield. */
export const HEAD_BYTES = 10 + 2 + 4 + FIELD_BYTES;
/** Length in bytes of an empty member: its gzip header, an empty block of deflate, the CRC-32 and the length. */
export const END_BYTES = HEAD_BYTES + 2 + 8;

/** First bytes of each member: gzip with deflate, and no field except the extra field. */
export const SIGNATURE = Buffer.from([0x1f, 0x8b, 0x08, 0x04]);
/**
 * Beginning of the extra field in the gzip header of a member: length of the extra field, the id `DY`, and the length of Dyno's values.
 * Dyno's values follow. The extra field follows the first ten bytes of the header.
 */
const EXTRA = Buffer.from([FIELD_BYTES + 4, 0, 0x44, 0x59, FIELD_BYTES, 0]);
const EXTRA_AT = 10;
const FIELD_AT = HEAD_BYTES - FIELD_BYTES;

/** Maximum size of a member that can be read, in bytes, both compressed and uncompressed. The writer closes blocks at about 1 MiB. */
export const MOST_MEMBER_BYTES = 64 * 1024 ** 2;

/** Length in bytes of the gzip header that zlib writes, which contains no extra field. */
const ZLIB_HEAD_BYTES = 10;

const pack = promisify<Uint8Array, { level: number }, Buffer>(gzip);
const unpack = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** Returns the gzip header of a member. */
function head(member: Member): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  SIGNATURE.copy(bytes);
  // The operating system is *unknown* (255), and the time is not set.
  bytes[9] = 0xff;
  EXTRA.copy(bytes, EXTRA_AT);
  bytes[FIELD_AT] = VERSION;
  bytes[FIELD_AT + 1] = KINDS.indexOf(member.kind) + 1;
  bytes.writeUInt32LE(member.bytes, FIELD_AT + 2);
  bytes.writeUInt32LE(member.number, FIELD_AT + 6);
  bytes.writeUInt32LE(member.records, FIELD_AT + 10);
  bytes.writeBigUInt64LE(BigInt(member.firstAt), FIELD_AT + 14);
  bytes.writeBigUInt64LE(BigInt(member.lastAt), FIELD_AT + 22);
  return bytes;
}

/** Returns the bytes of a member with this content. `level`: compression level of zlib; 0 stores the content uncompressed. */
export async function packMember(
  content: Uint8Array,
  member: Omit<Member, 'bytes'>,
  level: number,
): Promise<Buffer> {
  const packed = (await pack(content, { level })).subarray(ZLIB_HEAD_BYTES);
  return Buffer.concat([head({ ...member, bytes: HEAD_BYTES + packed.length }), packed]);
}

/** Reads the header of the member that begins at `at` in `bytes`. Returns null if no member begins there. */
export function readMember(bytes: Buffer, at = 0): Member | null {
  if (
    at + HEAD_BYTES > bytes.length ||
    bytes.compare(SIGNATURE, 0, SIGNATURE.length, at, at + SIGNATURE.length) !== 0 ||
    bytes.compare(EXTRA, 0, EXTRA.length, at + EXTRA_AT, at + EXTRA_AT + EXTRA.length) !== 0
  )
    return null;
  const field = at + FIELD_AT;
  const kind = KINDS[bytes[field + 1]! - 1];
  const length = bytes.readUInt32LE(field + 2);
  if (bytes[field] !== VERSION || kind === undefined || length < END_BYTES || length > MOST_MEMBER_BYTES)
    return null;
  return {
    kind,
    bytes: length,
    number: bytes.readUInt32LE(field + 6),
    records: bytes.readUInt32LE(field + 10),
    firstAt: Number(bytes.readBigUInt64LE(field + 14)),
    lastAt: Number(bytes.readBigUInt64LE(field + 22)),
  };
}

/** Returns the uncompressed content of a member. Rejects if the member is damaged or too large. */
export const unpackMember = (bytes: Uint8Array): Promise<Buffer> =>
  unpack(bytes, { maxOutputLength: MOST_MEMBER_BYTES });
