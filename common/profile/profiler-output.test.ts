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
  expect(profilerLineReader(10)(line)).toEqual(sample);
});

test.each(['', 'Profiling started', 'java.lang.Thread.run 5', '[x tid=1]; 5', '[x tid=1];a.b'])(
  'skips a line in another form: %j',
  (line) => {
    expect(profilerLineReader(10)(line)).toBeUndefined();
  },
);
