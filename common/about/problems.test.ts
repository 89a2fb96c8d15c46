import { ABOUT_PARTS, aboutSchema, type AboutPart } from '../api/about';
import { aboutLines } from './problems';
import { before, madeAbout } from './testing/made-about';

const GB = 1024 ** 3;
const problemLines = (...given: Parameters<typeof madeAbout>): string[] =>
  madeAbout(...given).problems.map(({ part, level, what }) => `${part} ${level}: ${what}`);

test('a healthy Dyno has no problems, and matches the schema of the HTTP API', () => {
  expect(problemLines()).toEqual([]);
  expect(aboutSchema.parse(madeAbout())).toEqual(madeAbout());
});

test.each(ABOUT_PARTS)(
  'if only %s fails, that is reported with what to do next, and nothing else',
  (part) => {
    const { problems } = madeAbout({}, { [part]: 'nobody answers' });
    expect(problems.map((problem) => problem.part)).toEqual([part]);
    expect(problems[0]!.what).toContain('could not be checked: nobody answers.');
    expect(problems[0]!.next).toMatch(/\w+.*\.$/);
  },
);

test('failed parts are reported, except those read from a results cluster that cannot be reached', () => {
  const failures = Object.fromEntries(ABOUT_PARTS.map((part) => [part, 'gone'])) as Record<AboutPart, string>;
  const about = madeAbout({}, failures);
  expect(about.problems.map(({ part }) => part).sort()).toEqual(
    ABOUT_PARTS.filter((part) => !['collector', 'runs', 'schedules'].includes(part)).sort(),
  );
  expect(aboutLines(about)).toHaveLength(ABOUT_PARTS.length);
});

test('a red results cluster is wrong, a yellow one is a warning with several nodes and healthy with one node', () => {
  const results = (status: 'red' | 'yellow', nodes: number) =>
    ({ url: 'u', version: '9.5.3', health: { status, nodes, unassignedShards: 3 } }) as const;
  expect(problemLines({ results: results('red', 1) })).toEqual([
    expect.stringMatching(/^results wrong: .*3 shards/),
  ]);
  expect(problemLines({ results: results('yellow', 3) })).toEqual([
    expect.stringMatching(/^results warning: .*only replicas/),
  ]);
  expect(problemLines({ results: results('yellow', 1) })).toEqual([]);
});

test('waiting files are reported with their age while the cluster cannot be reached, or if it does not store them', () => {
  const waits = (since: string) => ({
    spool: { documents: 5, waiting: { files: 2, bytes: 2048, since }, others: [], kept: 0 },
  });
  expect(problemLines(waits(before(5000)))).toEqual([]);
  expect(problemLines(waits(before(600_000)))).toEqual([
    expect.stringMatching(/2 files of results \(2 KB\) have waited .* 10m 00s\. The cluster responds/),
  ]);
  expect(problemLines(waits(before(5000)), { results: 'away' })[1]).toMatch(/spool warning: 2 files/);
});

test('files for another cluster, and conflicting files, are reported', () => {
  const others = [{ cluster: 'abc', files: 1, bytes: 10, since: before(60_000) }];
  const waiting = { files: 0, bytes: 0, since: null };
  expect(problemLines({ spool: { documents: 0, waiting, others, kept: 2 } })).toEqual([
    expect.stringContaining('another cluster, abc'),
    expect.stringContaining('2 files of results could not be stored'),
  ]);
});

test('collectors that are silent or cannot read metrics are named', () => {
  const shipper = {
    ...{ id: 'a', host: 'h', version: '1', metricsets: ['node'], periodMs: 1000, cluster: 'c', nodes: [] },
    ...{ events: 1, error: '', errorAt: '', failing: [] as string[] },
  };
  const shippers = [
    { ...shipper, name: 'well', lastSeen: before(1000) },
    { ...shipper, name: 'silent', lastSeen: before(300_000) },
    { ...shipper, name: 'blind', lastSeen: before(1000), failing: ['node'], error: 'refused' },
  ];
  expect(problemLines({ collector: { own: { state: 'failed', detail: 'it ended' }, shippers } })).toEqual([
    expect.stringContaining('sends nothing: it ended'),
    expect.stringContaining('silent has been silent for 5m'),
    expect.stringContaining('blind cannot read node: refused'),
  ]);
});

test('a certification that is missing, failed or from another version is reported', () => {
  const last = { answer: 'certified', why: 'p99', at: before(0), dyno: '0.0.9' } as const;
  expect(problemLines({ certification: { going: false, last: null } })[0]).toContain(
    'has not been certified',
  );
  expect(problemLines({ certification: { going: true, last: null } })).toEqual([]);
  expect(problemLines({ certification: { going: false, last } })[0]).toContain(
    'with Dyno 0.0.9, but this is 0.1.0',
  );
  expect(
    problemLines({ certification: { going: false, last: { ...last, answer: 'not-certified' } } })[0],
  ).toMatch(/wrong: .*not certified: p99/);
});

test('a disk is a warning before Elasticsearch stops writing to it, and wrong after that', () => {
  const disk = (freeBytes: number) => ({
    disks: [{ holds: ['elasticsearch'], freeBytes, totalBytes: 100 * GB }],
  });
  expect(problemLines(disk(20 * GB))).toEqual([]);
  expect(problemLines(disk(10 * GB))[0]).toMatch(/^disks warning: .*10 GB of 100 GB left.*85%/);
  expect(problemLines(disk(2 * GB))[0]).toMatch(/^disks wrong: .*read-only if a disk is 95% full/);
});

test('little memory and missed times of schedules are reported after wrong parts', () => {
  const machine = { cores: 2, totalBytes: 8 * GB, availableBytes: GB / 4, ownBytes: 1, load: 9 };
  const missed = [{ experiment: 'nightly', at: before(3_600_000), why: 'the server did not run' }];
  expect(
    problemLines({ machine, schedules: { scheduled: 1, next: null, missed } }, { results: 'refused' }).map(
      (line) => line.split(':')[0],
    ),
  ).toEqual(['results wrong', 'schedules warning', 'machine warning']);
});
