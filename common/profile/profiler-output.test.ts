import { profilerLineReader } from './profiler-output';

/** Lines of async-profiler 4.6 on Elasticsearch 9.5.3, shortened. */
test.each([
  [
    '[elasticsearch[dyno-1][write][T#2] tid=4711];java.lang.Thread.run;org.elasticsearch.action.bulk.TransportShardBulkAction$$Lambda.accept;org.apache.lucene.util.BytesRefHash.findHash 20000000',
    {
      thread: 'elasticsearch[dyno-1][write][T#2]',
      weight: 20_000,
      samples: 2,
      frames: [
        'org.apache.lucene.util.BytesRefHash.findHash',
        'org.elasticsearch.action.bulk.TransportShardBulkAction$$Lambda.accept',
        'java.lang.Thread.run',
      ],
    },
  ],
  [
    '[GC Thread#0 tid=12];start_thread;void G1ParCopyClosure<(G1Barrier)0, false>::do_oop_work<oopDesc*>(oopDesc**) 10000000',
    {
      thread: 'GC Thread#0',
      weight: 10_000,
      samples: 1,
      frames: [
        'void G1ParCopyClosure<(G1Barrier)0, false>::do_oop_work<oopDesc*>(oopDesc**)',
        'start_thread',
      ],
    },
  ],
  ['[tid=99];start_thread 30000000', { thread: '', weight: 30_000, samples: 3, frames: ['start_thread'] }],
])('reads %s', (line, sample) => {
  expect(profilerLineReader('cpu')(line)).toEqual(sample);
});

test.each(['', 'Profiling started', 'java.lang.Thread.run 5', '[x tid=1]; 5', '[x tid=1];a.b'])(
  'skips a line in another form: %j',
  (line) => {
    expect(profilerLineReader('cpu')(line)).toBeUndefined();
  },
);

const WRITE =
  'java.lang.Thread.run;java.util.concurrent.ThreadPoolExecutor$Worker.run;java.util.concurrent.ThreadPoolExecutor.runWorker';

test('allocations are bytes; the class of the objects is the innermost frame', () => {
  const line = `[elasticsearch[dyno-1][write][T#2] tid=4711];${WRITE};a.B.c;byte[] 1572864`;
  expect(profilerLineReader('alloc')(line)).toMatchObject({ weight: 1_572_864, samples: 3 });
  expect(profilerLineReader('alloc')(line)!.frames.slice(0, 2)).toEqual(['byte[]', 'a.B.c']);
});

test('a line of waiting for a lock is one sample, because waits have different lengths', () => {
  const line = `[elasticsearch[dyno-1][write][T#2] tid=4711];${WRITE};a.B.c;java.lang.Object 5000000`;
  expect(profilerLineReader('lock')(line)).toMatchObject({ weight: 5000, samples: 1 });
});

test.each([
  ['runs a task', `${WRITE};org.elasticsearch.X.doRun`, true],
  [
    'waits for the disk',
    `${WRITE};org.elasticsearch.X.doRun;sun.nio.ch.UnixFileDispatcherImpl.force0;fsync`,
    true,
  ],
  [
    'waits for a lock within a task',
    `${WRITE};org.elasticsearch.X.doRun;java.util.concurrent.locks.LockSupport.park;jdk.internal.misc.Unsafe.park`,
    true,
  ],
  [
    'waits for a task',
    `${WRITE};java.util.concurrent.ThreadPoolExecutor.getTask;jdk.internal.misc.Unsafe.park`,
    false,
  ],
  ['reads a request', 'java.lang.Thread.run;io.netty.channel.nio.NioEventLoop.run;io.netty.X.read', true],
  [
    'waits for requests',
    'java.lang.Thread.run;io.netty.channel.SingleThreadIoEventLoop.run;sun.nio.ch.EPollSelectorImpl.doSelect;sun.nio.ch.EPoll.wait;epoll_wait',
    false,
  ],
  ['merges', 'org.apache.lucene.index.ConcurrentMergeScheduler$MergeThread.run;a.B.merge', true],
  ['waits for the end of a process', `${WRITE};java.lang.ProcessHandleImpl$1.run;waitpid`, false],
  [
    'cleans references',
    'java.lang.Thread.run;java.lang.ref.Finalizer$FinalizerThread.run;java.lang.Object.wait0',
    false,
  ],
  ['collects garbage', 'start_thread;thread_native_entry;WorkerThread::run', false],
])('elapsed time counts only while a thread has work: it %s', (_, stack, counts) => {
  const sample = profilerLineReader('wall')(`[x tid=1];${stack} 150000000`);
  expect(sample === undefined ? undefined : [sample.weight, sample.samples]).toEqual(
    counts ? [150_000, 3] : undefined,
  );
});
