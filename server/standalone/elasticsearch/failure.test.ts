import { explainFailure, usefulLines } from './failure';

const LOG = `
[2026-01-01T00:00:00,000][INFO ][o.e.n.Node] [dyno-1] starting ...
[2026-01-01T00:00:01,000][ERROR][o.e.b.Elasticsearch] [dyno-1] fatal exception while booting Elasticsearch
org.elasticsearch.http.BindHttpException: Failed to bind to 127.0.0.1:9200
	at org.elasticsearch.server/org.elasticsearch.http.X.bind(X.java:1)
	... 5 more
ERROR: Elasticsearch died while starting up, with exit code 1
`;

const NO_LOCK = 'java.lang.IllegalStateException: failed to obtain node locks, tried [/x]';

describe('a node that did not start', () => {
  it('is explained with cause, folder and last log lines', () => {
    const error = explainFailure(LOG, '/data/node-1', 'the node dyno-1 did not start');
    expect(error).toMatchObject({ kind: 'run', code: 'elasticsearch.port-in-use' });
    expect(error.message).toContain('/data/node-1: the node dyno-1 did not start: a port');
    expect(error.message).toContain('Failed to bind to 127.0.0.1:9200');
    expect(error.message).not.toContain('X.java');
  });

  it.each([
    [NO_LOCK, 'elasticsearch.data-locked'],
    [
      `${NO_LOCK}\nCaused by: LockObtainFailedException: Lock held by another program: /x`,
      'elasticsearch.data-locked',
    ],
    [`${NO_LOCK}\nCaused by: java.io.IOException: Mount point not found`, 'elasticsearch.no-mount-point'],
    [`${NO_LOCK}\nCaused by: java.nio.file.AccessDeniedException: /x`, 'elasticsearch.folder-unreachable'],
    ['There is insufficient memory for the Java Runtime Environment to continue.', 'elasticsearch.no-memory'],
    ['Error occurred during initialization of VM\nToo small maximum heap', 'elasticsearch.heap-refused'],
    ['java.lang.UnsupportedClassVersionError: org/x has been compiled by', 'elasticsearch.wrong-java'],
    ['java.lang.IllegalArgumentException: unknown setting [x] please check', 'elasticsearch.setting-refused'],
    ['JVM arguments [-XX:+ExitOnOutOfMemoryError]', 'elasticsearch.not-started'],
    ['java.io.IOException: No space left on device', 'disk.full'],
    ['something never seen', 'elasticsearch.not-started'],
    ['', 'elasticsearch.not-started'],
  ])('whose log says "%s" has the code %s', (log, code) => {
    expect(explainFailure(log, '', '').code).toBe(code);
  });

  it('is explained with the name of its engine', () => {
    const { message } = explainFailure(LOG, '', 'the node dyno-1 did not start', 'opensearch');
    expect(message).toContain('a port of OpenSearch is taken');
  });

  it('is explained with the last log lines if no line looks like an error', () => {
    expect(usefulLines('one\ntwo\n\nthree\n', 2)).toEqual(['two', 'three']);
  });
});
