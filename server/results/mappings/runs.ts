/** The mapping of `dyno-runs-*`: one document for each run. */
import type { Certification } from '../../../common/measurement/certification';
import type { GeneratorMachine } from '../../../common/measurement/instrument';
import type {
  StoredHistoryRun,
  LoadPath,
  NodeFacts,
  PlaceFacts,
  Provenance,
  RemovedSamples,
  RunDocument,
  RunEvent,
  BlockFacts,
  StartedFacts,
  Verdict,
} from '../../../common/experiment/run';
import type { Trust } from '../../../common/analysis/trust';
import type { UnaskedPart } from '../../../common/measurement/unasked';
import { boolean, column, date, kept, keyword, long, object, text, type Fields } from './field';
import { experimentMark, id } from './measured';
import { BLOCK_FIELD, BLOCKS_FIELD } from '../../../common/measurement/stored-names';

const nodes: Fields<NodeFacts> = {
  name: keyword,
  version: keyword,
  jvm: keyword,
  heapBytes: long,
  cores: long,
  memoryBytes: long,
  os: keyword,
  roles: keyword,
  disk: keyword,
  diskTotalBytes: long,
  diskFreeBytes: long,
};

const place: Fields<PlaceFacts> = {
  unasked: object<UnaskedPart>({ what: keyword, value: text, from: keyword }),
  load: object<LoadPath>({ nodes: keyword, past: text }),
  dyno: keyword,
  cluster: object<Provenance['cluster']>({
    name: keyword,
    uuid: keyword,
    engine: keyword,
    version: keyword,
    url: keyword,
  }),
  nodes: object<NodeFacts>(nodes),
  generator: object<Provenance['generator']>({
    host: keyword,
    cores: long,
    memoryBytes: long,
    node: keyword,
    os: keyword,
    workers: long,
  }),
  resultsInTarget: boolean,
  sharedMachine: boolean,
  started: object<StartedFacts>({ engine: keyword, nodes: long, heapBytes: long, version: keyword }),
  effective: kept,
  certification: object<Certification>({
    answer: keyword,
    why: text,
    at: date,
    dyno: keyword,
    machine: object<GeneratorMachine>({
      host: keyword,
      cores: long,
      memoryBytes: long,
      node: keyword,
      os: keyword,
    }),
  }),
};

const block: Fields<BlockFacts> = {
  ...place,
  environment: kept,
  target: keyword,
  since: date,
  until: date,
};

const provenance: Fields<Provenance> = { ...place, [BLOCKS_FIELD]: object<BlockFacts>(block) };

const verdict: Fields<Verdict> = {
  answer: keyword,
  sentence: text,
  doubt: text,
  trust: object<Trust>({ level: keyword, line: text, reasons: kept }),
  claims: kept,
  thresholds: kept,
  warnings: text,
};

export const runs: Fields<RunDocument> = {
  '@timestamp': date,
  run: object<RunDocument['run']>({
    ...id,
    state: keyword,
    reason: text,
    endedBy: keyword,
    started: date,
    ended: date,
    heartbeat: date,
    carrier: object<RunDocument['run']['carrier']>({ host: keyword, pid: long, instance: keyword }),
    queue: keyword,
    marked: object<NonNullable<RunDocument['run']['marked']>>({
      by: object<RunDocument['run']['carrier']>({ host: keyword, pid: long, instance: keyword }),
      at: date,
    }),
    indices: keyword,
    pipelines: keyword,
    replaced: object<NonNullable<RunDocument['run']['replaced']>>({ cluster: keyword, settings: kept }),
    beside: keyword,
    waiting: object<NonNullable<RunDocument['run']['waiting']>>({ environment: kept, since: date }),
  }),
  experiment: object<RunDocument['experiment']>({ ...experimentMark, hypothesis: text, preset: keyword }),
  definition: kept,
  plan: kept,
  progress: object<RunDocument['progress']>({
    trials: long,
    completed: long,
    failed: long,
    current: keyword,
    look: kept,
    [BLOCK_FIELD]: long,
  }),
  provenance: object<Provenance>(provenance),
  verdict: object<Verdict>(verdict),
  night: object<StoredHistoryRun>({ figures: column, cluster: column }),
  samples: object<RemovedSamples>({ removed: date, keep: keyword }),
  events: object<RunEvent>({ at: date, level: keyword, message: text }),
};
