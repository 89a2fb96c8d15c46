/** Packs the stacks of trials for their documents, and reads the stored stacks of a run. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ProfileDocument, ProfileEvent } from '../../common/measurement/profile-document';
import type { CollectedStacks } from '../../common/profile/cpu-profile';
import type { TrialStacks } from '../../common/analysis/call-tree';
import {
  charactersOf,
  foldRare,
  framesOf,
  fromText,
  partsOf,
  toText,
  totalOf,
  type StackFilter,
  type Stacks,
} from '../../common/profile/stacks';
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

/** Choice of the profiles that are read. `cells`: positions in the plan of the combinations of factor levels. */
export interface ProfileChoice {
  event: ProfileEvent;
  cells: readonly number[];
}

/** A profile with its unpacked stacks: see `common/profile/stacks.ts`. */
export type UnpackedProfile = ProfileHead & { stacks: Stacks };

/**
 * Yields the chosen ones of some profiles, such as those of a run in a file. Keeps their order. Rejects as {@link unpackStacks} does.
 */
export async function* unpackProfiles(
  documents: Iterable<ProfileDocument>,
  { event, cells }: ProfileChoice,
): AsyncGenerator<UnpackedProfile> {
  for (const document of documents)
    if (document.event === event && cells.includes(document.cell.index))
      yield { ...document, stacks: await unpackStacks(document) };
}

/**
 * Yields profiles of a stored run, in the order of its trials. Rejects as {@link listProfiles} and {@link unpackStacks} do.
 */
export async function* readProfiles(
  client: ElasticsearchClient,
  run: string,
  choice: ProfileChoice,
): AsyncGenerator<UnpackedProfile> {
  const { event, cells } = choice;
  await refresh(client, PROFILES);
  const filter = [{ term: { 'run.id': run } }, { term: { event } }, { terms: { 'cell.index': cells } }];
  const pages = searchPages<ProfileDocument>(client, PROFILES, {
    query: { bool: { filter } },
    sort: SORT,
    size: PAGE,
  });
  for await (const hits of pages)
    yield* unpackProfiles(
      hits.map(({ _source }) => _source),
      choice,
    );
}

/** Stacks of several trials, for a call tree. */
export interface ReadStacks {
  trials: TrialStacks[];
  /** Names of all nodes and pools in the profiles, sorted. They do not depend on the filter. */
  nodes: string[];
  pools: string[];
}

/**
 * Converts profiles to the input of a call tree. `filter`: selects the stacks of one node or thread pool. The number of samples that pass
 * the filter is estimated from their weight.
 */
export async function trialStacks(
  profiles: AsyncIterable<UnpackedProfile>,
  filter: StackFilter = {},
): Promise<ReadStacks> {
  const trials: TrialStacks[] = [];
  const [nodes, pools] = [new Set<string>(), new Set<string>()];
  for await (const { cell, trial, stacks: all, samples, total } of profiles) {
    for (const stack of all.keys()) {
      const { node, pool } = partsOf(stack);
      nodes.add(node);
      pools.add(pool);
    }
    const stacks = framesOf(all, filter);
    const { repetition, order } = trial;
    const share = total === 0 ? 0 : totalOf(stacks) / total;
    trials.push({ cell: cell.index, repetition, order, stacks, samples: Math.round(samples * share) });
  }
  return { trials, nodes: [...nodes].sort(), pools: [...pools].sort() };
}
