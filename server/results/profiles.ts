/** Packs the stacks of trials for their documents, and reads the stored stacks of a run. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ProfileDocument, ProfileEvent } from '../../common/measurement/profile-document';
import type { CollectedStacks } from '../../common/profile/cpu-profile';
import { charactersOf, foldRare, fromText, toText, totalOf, type Stacks } from '../../common/profile/stacks';
import { messageOf, runError } from '../../common/problem';
import { refresh, search, searchPages } from './search';
import { PROFILES } from './stored';

/** Maximum size of compressed stacks, in bytes. As base64, they have 1 MB. */
const MOST_COMPRESSED = 768 * 1024;
/** Maximum size of the text of stored stacks, in bytes. Names of nodes may need several bytes per character. */
const MOST_UNPACKED = 32 * 1024 ** 2;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The fields of a {@link ProfileDocument} that depend on its stacks. */
export type PackedStacks = Pick<ProfileDocument, 'total' | 'samples' | 'folded' | 'stacks'>;

/**
 * Compresses stacks. If they are larger than `mostBytes`, shortens rare stacks until they are not. Only stacks with a great many nodes and
 * thread pools stay larger.
 */
export async function packStacks(
  collected: CollectedStacks,
  mostBytes = MOST_COMPRESSED,
): Promise<PackedStacks> {
  const { samples } = collected;
  const total = totalOf(collected.stacks);
  let { stacks, folded } = collected;
  for (;;) {
    const packed = await compress(toText(stacks));
    const characters = charactersOf(stacks);
    const shorter = foldRare(stacks, characters / 2);
    if (packed.length <= mostBytes || charactersOf(shorter.stacks) === characters)
      return { total, samples, folded, stacks: packed.toString('base64') };
    folded = Math.min(folded + shorter.folded, total);
    stacks = shorter.stacks;
  }
}

/** Unpacks the stacks of a document. Rejects with a DynoError `results.profile` if they are damaged or too large. */
export async function unpackStacks({
  trial,
  stacks,
}: Pick<ProfileDocument, 'trial' | 'stacks'>): Promise<Stacks> {
  try {
    const text = await decompress(Buffer.from(stacks, 'base64'), { maxOutputLength: MOST_UNPACKED });
    return fromText(text.toString('utf8'));
  } catch (error) {
    throw runError('results.profile', trial.id, `the profile cannot be read: ${messageOf(error)}`, error);
  }
}

/** A {@link ProfileDocument} without its stacks. */
export type ProfileHead = Omit<ProfileDocument, 'stacks'>;

/** Maximum number of hits of one search: the default of `index.max_result_window`. */
const MOST_HEADS = 10_000;
/** Number of profiles per page. A profile has at most 1 MB. */
const PAGE = 8;

const SORT = [
  { 'trial.order': { order: 'asc', unmapped_type: 'long' } },
  { event: { order: 'asc', unmapped_type: 'keyword' } },
];

/**
 * Lists the profiles of a run in the order of its trials. The list is empty if the run has no profiles. Rejects with a DynoError
 * `results.*`, or with the errors of the client.
 */
export async function listProfiles(client: ElasticsearchClient, run: string): Promise<ProfileHead[]> {
  await refresh(client, PROFILES);
  const { hits } = await search<ProfileHead>(client, PROFILES, {
    query: { term: { 'run.id': run } },
    sort: SORT,
    size: MOST_HEADS,
    _source: { excludes: ['stacks'] },
  });
  return hits.map(({ _source }) => _source);
}

/** Stacks of one trial. */
export interface TrialProfile {
  /** Position of the combination of factor levels in the plan. */
  cell: number;
  repetition: number;
  order: number;
  /** Stacks, including the node and the pool: see `common/profile/stacks.ts`. */
  stacks: Stacks;
  samples: number;
}

/**
 * Reads the stacks of a run for one event, in the order of its trials. `cells`: positions in the plan of the combinations of factor levels
 * whose stacks are read. Rejects as {@link listProfiles} and {@link unpackStacks} do.
 */
export async function readProfiles(
  client: ElasticsearchClient,
  run: string,
  { event, cells }: { event: ProfileEvent; cells: readonly number[] },
): Promise<TrialProfile[]> {
  await refresh(client, PROFILES);
  const filter = [{ term: { 'run.id': run } }, { term: { event } }, { terms: { 'cell.index': cells } }];
  const pages = searchPages<ProfileDocument>(client, PROFILES, {
    query: { bool: { filter } },
    sort: SORT,
    size: PAGE,
  });
  const read: TrialProfile[] = [];
  for await (const hits of pages) for (const { _source } of hits) read.push(await trialProfile(_source));
  return read;
}

async function trialProfile(document: ProfileDocument): Promise<TrialProfile> {
  const { cell, trial, samples } = document;
  const { repetition, order } = trial;
  return { cell: cell.index, repetition, order, stacks: await unpackStacks(document), samples };
}
