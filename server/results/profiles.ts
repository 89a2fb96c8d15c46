/** Packs the stacks of trials for their documents, and reads the stored profiles of a run. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import type { CollectedStacks } from '../../common/profile/phase-profile';
import { charactersOf, foldRare, toText, totalOf } from '../../common/profile/stacks';
import type { ProfileChoice, ProfileHead } from '../../common/report/model/profile';
import { refresh, search, searchPages } from './search';
import { PROFILES } from './stored';

/** Maximum size of compressed stacks, in bytes. As base64, they have 1 MB. */
const MOST_COMPRESSED = 768 * 1024;

const compress = promisify(gzip);

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

/**
 * Reads the chosen profiles of a run, in the order of its trials. Their stacks are still packed: see `unpackProfile`. Rejects as
 * {@link listProfiles} does.
 */
export async function getProfiles(
  client: ElasticsearchClient,
  run: string,
  { event, cells }: ProfileChoice,
): Promise<ProfileDocument[]> {
  await refresh(client, PROFILES);
  const filter = [{ term: { 'run.id': run } }, { term: { event } }, { terms: { 'cell.index': [...cells] } }];
  const query = { bool: { filter } };
  const found: ProfileDocument[] = [];
  for await (const hits of searchPages<ProfileDocument>(client, PROFILES, { query, sort: SORT, size: PAGE }))
    for (const { _source } of hits) found.push(_source);
  return found;
}
