/** Exports and imports runs as files over HTTP, both in Kibana and in the standalone server. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  MOST_UPLOADED,
  RUN_FILE_ENDING,
  RUN_FILE_TYPE,
  type ImportProgress,
} from '../../../common/api/run-files';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { inputError } from '../../../common/problem';
import { formatBytes } from '../../../common/units/format';
import { readMetricsTemplate } from '../../results/metrics-template';
import { exportRuns, findHeaded } from '../../results/run-file/export';
import { importRuns } from '../../results/run-file/import';
import type { SpaceId } from '../../results/space';
import type { RunFiles } from '../../routes/services';

export interface RunFilesOptions {
  results: ElasticsearchClient;
  /** Kibana space. Undefined in the standalone server. */
  space?: SpaceId;
  /** Version of Dyno. */
  version: string;
  /** Folder of the built server. It contains the index template for the events of Dyno's collector, which reads metrics of nodes. */
  folder: string;
}

/**
 * Maximum unpacked size of a file, as a multiple of the maximum packed size. Valid files stay far below this limit: even samples, their
 * most repetitive contents, unpack to only 40 times the packed size.
 */
const UNPACKED = 200;

interface Importing {
  name: string | undefined;
  progress: ImportProgress | null;
}

/**
 * The import that is running. A process runs only one import at a time, because an import uses space on a shared disk and in a shared
 * results cluster.
 */
let importing: Importing | undefined;

/** Yields the chunks of the file unchanged. Rejects with an input error `request.too-large` if the file has more than `mostBytes`. */
async function* atMost(file: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw inputError('request.too-large', '', 'the file is too large to be sent; nothing was stored', {
        allowed: `at most ${formatBytes(mostBytes)}; \`dyno results import FILE\` takes larger ones`,
      });
    yield chunk;
  }
}

export function createRunFiles({ results, space, version, folder }: RunFilesOptions): RunFiles {
  return {
    async export(ids) {
      const wanted = [...new Set(ids)];
      const runs = await findHeaded(results, { runs: wanted }, space);
      const missing = wanted.find((id) => runs.every((run) => run.id !== id));
      if (missing !== undefined)
        throw inputError('run.not-found', 'run', 'there is no such run', { found: missing });
      const name = wanted.length === 1 ? wanted[0]! : `${wanted.length}-runs`;
      const stream = exportRuns(results, runs, version);
      return { contentType: RUN_FILE_TYPE, fileName: `${name}${RUN_FILE_ENDING}`, stream };
    },

    progress: (name) => (importing?.name === name ? (importing.progress ?? null) : null),

    async import(file, { replace, name }) {
      if (importing)
        throw inputError(
          'results.import-going',
          '',
          'another file is being imported: try again when that is done',
        );
      const current: Importing = { name, progress: null };
      importing = current;
      let kept: string | undefined;
      try {
        // The file is stored on disk, because it is read twice: it is checked completely before any of it is stored in the results.
        kept = await mkdtemp(path.join(tmpdir(), 'dyno-import-'));
        const to = path.join(kept, 'runs');
        await pipeline(atMost(file, MOST_UPLOADED), createWriteStream(to, { mode: 0o600 }));
        const template = await readMetricsTemplate(path.join(folder, 'metrics-template.json')).catch(
          () => undefined,
        );
        return await importRuns(results, () => createReadStream(to), {
          replace,
          space,
          mostBytes: MOST_UPLOADED * UNPACKED,
          fileBytes: (await stat(to)).size,
          onProgress: (progress) => (current.progress = progress),
          ...(template ? { metricsTemplate: template } : {}),
        });
      } finally {
        importing = undefined;
        if (kept !== undefined) await rm(kept, { recursive: true, force: true });
      }
    },
  };
}
