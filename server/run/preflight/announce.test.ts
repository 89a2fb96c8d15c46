import { readDefinition } from '../../../common/experiment/read';
import type { PlaceFacts } from '../../../common/experiment/run';
import { newRun, ActiveRun } from '../active-run/active-run';
import { addOpeningNotes, type Preflight } from './preflight';

const place: PlaceFacts = {
  dyno: '0.1.0',
  cluster: { name: 'target', uuid: 'u-1', version: '9.5.3', url: 'http://127.0.0.1:9200' },
  nodes: [],
  generator: { host: 'driver-1', cores: 4, memoryBytes: 1, node: 'v22.0.0', os: 'Linux 6.8', workers: 1 },
  resultsInTarget: false,
  sharedMachine: false,
};

/** Returns the notes that are added to a run before its first trial. The index of the run has these settings. */
function sentences(settings: object): string[] {
  const definition = readDefinition({
    version: 1,
    name: 'announced',
    index: { settings },
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    measure: { warmup: '10s', duration: '30s' },
  });
  const saved = (): Promise<boolean> => Promise.resolve(true);
  const activeRun = new ActiveRun(newRun('run-1', definition), [], { saveRun: saved, saveTrial: saved });
  const known = { startsClusters: false, dataNodes: null };
  addOpeningNotes(activeRun, { place, notes: [], existing: [], unlike: '', known } as unknown as Preflight);
  return activeRun.document.events.map(({ message }) => message);
}

test.each([
  [{ refresh_interval: '2m' }, true],
  [{ 'index.refresh_interval': '2m' }, true],
  [{ index: { refresh_interval: '2m' } }, true],
  [{ index: { refresh_interval: '40s' } }, false],
  [{ refresh_interval: '-1' }, false],
  [{}, false],
])('whether a run with %p is warned that it never refreshes: %p', (settings, isWarned) => {
  expect(sentences(settings).some((sentence) => sentence.includes('it never refreshes'))).toBe(isWarned);
});
