/**
 * Compares the recall that runs report with a calculation in numpy. A proxy records the indexed vectors, the queries and the responses to
 * the queries. recall.py compares every query with every vector. The calculation uses only this HTTP traffic and no code of Dyno.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { passingProxy, reportOf } from './runs';
import type { Row } from './table';

/** Path of the Python script. It is relative to `build/`, from which the bundle of this file runs. */
const SCRIPT = fileURLToPath(new URL('../test/bench/recall.py', import.meta.url));

/** Maximum difference between the recall that Dyno reports and that of numpy. */
const ALIKE = 0.005;
const DOCUMENTS = 8000;
const DIMENSIONS = 64;
const BELOW = 1000;

const SIMILARITIES = ['dot_product', 'l2_norm', 'max_inner_product', 'cosine'] as const;
const TYPES = ['hnsw', 'int8_hnsw', 'int4_hnsw', 'bbq_hnsw', 'flat'] as const;

interface NumpyRecall {
  answers: number;
  recall: number;
}

/** Returns the path of the Python interpreter. Throws if this interpreter has no numpy. */
function python(): string {
  const interpreter = process.env['DYNO_PYTHON'] ?? 'python3';
  try {
    execFileSync(interpreter, ['-c', 'import numpy'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      `${interpreter} has no numpy: set DYNO_PYTHON to one that has, such as after python3 -m venv numpy-venv && numpy-venv/bin/pip install numpy`,
    );
  }
  return interpreter;
}

const definition = (similarity: string, type: string): object => ({
  version: 1,
  name: `recall by ${similarity} of ${type}`,
  spread: 'given-hosts',
  index: {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mapping: {
      properties: {
        ordinal: { type: 'integer' },
        cluster: { type: 'integer' },
        embedding: { type: 'dense_vector', dims: DIMENSIONS, similarity, index_options: { type } },
      },
    },
  },
  preload: {
    documents: DOCUMENTS,
    source: {
      vectors: { dimensions: DIMENSIONS, clusters: 40, normalise: similarity === 'dot_product', spread: 0.8 },
    },
  },
  tasks: [
    {
      name: 'queries',
      requests: {
        list: [
          { name: 'near', knn: { vector: '{{q}}', k: 10, num_candidates: 15 } },
          {
            name: 'filtered',
            knn: {
              vector: '{{q}}',
              k: 10,
              num_candidates: 30,
              filter: { range: { ordinal: { lt: BELOW } } },
            },
          },
        ],
        parameters: { q: { vector: { count: 400 } } },
      },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  measure: { warmup: '0s', duration: '4s', drain: '10s' },
  trials: 1,
});

interface Asked {
  knn: { query_vector: number[]; k: number; filter?: unknown };
}

/** Starts a proxy that calls `onLine` with an object for each indexed document and for each response to a knn request. */
function watchingProxy(upstream: string, onLine: (line: object) => void): ReturnType<typeof passingProxy> {
  return passingProxy(upstream, ({ url, body, answer }) => {
    if (url.includes('_bulk')) {
      const lines = body.split('\n');
      for (let at = 0; at + 1 < lines.length; at += 2) {
        const { index } = JSON.parse(lines[at]!) as { index?: { _id?: string } };
        const { embedding } = JSON.parse(lines[at + 1]!) as { embedding?: number[] };
        if (embedding !== undefined) onLine({ id: Number(index!._id), vector: embedding });
      }
    } else if (url.includes('_search') && body.startsWith('{"knn"')) {
      const { knn } = JSON.parse(body) as Asked;
      const { hits } = JSON.parse(answer.toString()) as { hits?: { hits: { _id: string }[] } };
      if (hits !== undefined)
        onLine({
          name: knn.filter === undefined ? 'near' : 'filtered',
          query: knn.query_vector,
          k: knn.k,
          below: knn.filter === undefined ? null : BELOW,
          ids: hits.hits.map(({ _id: id }) => Number(id)),
        });
    }
    return 0;
  });
}

/** Returns a row for each request of each index. If the two recalls of a row differ by more than {@link ALIKE}, adds a failure. */
export async function benchRecall(): Promise<{
  tables: { title: string; rows: Row[] }[];
  failures: string[];
}> {
  const interpreter = python();
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-recall-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  const rows: Row[] = [];
  const failures: string[] = [];
  try {
    for (const similarity of SIMILARITIES) {
      for (const type of TYPES) {
        const lines: string[] = [JSON.stringify({ similarity })];
        const proxy = await watchingProxy(cluster.nodes[0]!.url, (line) => lines.push(JSON.stringify(line)));
        const report = await reportOf(folder, proxy.url, definition(similarity, type)).finally(proxy.stop);
        const file = path.join(folder, 'wire.ndjson');
        writeFileSync(file, `${lines.join('\n')}\n`);
        const found = JSON.parse(execFileSync(interpreter, [SCRIPT, file], { encoding: 'utf8' })) as Record<
          string,
          NumpyRecall
        > & { documents: number };
        for (const { name, recall } of report.cells[0]!.tasks[0]!.requests) {
          const theirs = found[name]!;
          const apart = Math.abs(recall!.mean - theirs.recall);
          if (apart > ALIKE) failures.push(`${similarity}, ${type}, ${name}: differ by ${apart.toFixed(4)}`);
          if (found.documents !== DOCUMENTS) failures.push(`${found.documents} documents were indexed`);
          rows.push({
            index: `${similarity}, ${type}`,
            request: name,
            'judged by Dyno': recall!.judged,
            recall: recall!.mean.toFixed(4),
            'judged by numpy': theirs.answers,
            'recall by numpy': theirs.recall.toFixed(4),
            apart: apart.toFixed(4),
          });
        }
      }
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const title = `Recall at 10 of ${DOCUMENTS} vectors of ${DIMENSIONS} dimensions, and numpy's for the same answers`;
  return { tables: [{ title, rows }], failures };
}
