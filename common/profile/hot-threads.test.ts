import { parseHotThreads } from './hot-threads';

/** Answer of Elasticsearch 9.5.3 with two nodes, shortened. */
const ELASTICSEARCH = `::: {dyno-1}{QPXpz3LCRH-BV3CArf7YIA}{GM3Qqc3QQTqunRYLpwZFZw}{dyno-1}{127.0.0.1}{127.0.0.1:41705}{cdfhilmrstw}{9.5.3}{8000099-9111000}{xpack.installed=true}
   Hot threads at 2026-11-27T19:54:13.361Z, interval=50ms, busiestThreads=9999, ignoreIdleThreads=true:
   
   100.0% [cpu=11.5%, other=88.5%] (50ms out of 50ms) cpu usage by thread 'elasticsearch[dyno-1][write][T#2]'
     unique snapshot
       app/org.apache.lucene.core@10.5.1/org.apache.lucene.util.BytesRefHash.findHash(BytesRefHash.java:385)
       app/org.elasticsearch.server@9.5.3/org.elasticsearch.action.bulk.TransportShardBulkAction$$Lambda/0x0000000039ebbc20.accept(Unknown Source)
       java.base@25.0.3/java.lang.Thread.run(Thread.java:1474)
   
    0.0% [cpu=0.0%, other=0.0%] (0s out of 50ms) cpu usage by thread 'Attach Listener'
     unique snapshot
   
::: {dyno-2}{sqxGt4h6Tty4Ug26RsIo6A}{bQmbifm6R12paQXE_d0_FA}{dyno-2}{127.0.0.1}{127.0.0.1:41706}{cdfhilmrstw}{9.5.3}{8000099-9111000}
   Hot threads at 2026-11-27T19:54:13.361Z, interval=50ms, busiestThreads=9999, ignoreIdleThreads=true:
   
`;

/** Answer of OpenSearch 3.6.0, shortened. */
const OPENSEARCH = `::: {dyno-1}{JZ-ZtaMlSiSfW8JjdSUYyw}{U06Jt33DSTq9oU2pnZQJ_w}{127.0.0.1}{127.0.0.1:32957}{dimr}{shard_indexing_pressure_enabled=true}
   Hot threads at 2026-11-27T19:57:03.994Z, interval=1s, busiestThreads=9999, ignoreIdleThreads=true:
   
   28.5% (285ms out of 1s) cpu usage by thread 'opensearch[dyno-1][clusterManagerService#updateTask][T#1]'
     unique snapshot
       java.base@25.0.3/java.lang.Class.forName0(Native Method)
       app//org.opensearch.cluster.service.ClusterApplierService.runTask(ClusterApplierService.java:528)
`;

test('the CPU time of a thread does not include the time in which it waited', () => {
  expect(parseHotThreads(ELASTICSEARCH)).toEqual([
    {
      nodeId: 'QPXpz3LCRH-BV3CArf7YIA',
      nodeName: 'dyno-1',
      threads: [
        {
          thread: 'elasticsearch[dyno-1][write][T#2]',
          weight: expect.closeTo(5750) as number,
          frames: [
            'org.apache.lucene.util.BytesRefHash.findHash',
            'org.elasticsearch.action.bulk.TransportShardBulkAction$$Lambda.accept',
            'java.lang.Thread.run',
          ],
        },
      ],
    },
    { nodeId: 'sqxGt4h6Tty4Ug26RsIo6A', nodeName: 'dyno-2', threads: [] },
  ]);
});

test('a thread that waits at the end of the interval has no frames', () => {
  const idle = `::: {dyno-1}{id-1}{x}
   Hot threads at 2026-11-27T23:54:13.361Z, interval=10ms, busiestThreads=9999, ignoreIdleThreads=false:
   
   100.0% [cpu=20.0%, other=80.0%] (10ms out of 10ms) cpu usage by thread 'elasticsearch[dyno-1][search][T#2]'
     unique snapshot
       java.base@25.0.3/jdk.internal.misc.Unsafe.park(Native Method)
       java.base@25.0.3/java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1016)
       java.base@25.0.3/java.lang.Thread.run(Thread.java:1474)
   
    5.0% [cpu=5.0%, other=0.0%] (500micros out of 10ms) cpu usage by thread 'elasticsearch[dyno-1][transport_worker][T#1]'
     unique snapshot
       java.base@25.0.3/sun.nio.ch.EPoll.wait(Native Method)
       java.base@25.0.3/sun.nio.ch.EPollSelectorImpl.doSelect(EPollSelectorImpl.java:121)
       io.netty.transport@4.1/io.netty.channel.nio.NioEventLoop.run(NioEventLoop.java:530)
`;
  expect(parseHotThreads(idle)[0]!.threads).toEqual([
    { thread: 'elasticsearch[dyno-1][search][T#2]', weight: 2000, frames: [] },
    { thread: 'elasticsearch[dyno-1][transport_worker][T#1]', weight: 500, frames: [] },
  ]);
});

test('servers that write only the CPU time are read too', () => {
  expect(parseHotThreads(OPENSEARCH)).toEqual([
    {
      nodeId: 'JZ-ZtaMlSiSfW8JjdSUYyw',
      nodeName: 'dyno-1',
      threads: [
        {
          thread: 'opensearch[dyno-1][clusterManagerService#updateTask][T#1]',
          weight: expect.closeTo(285_000) as number,
          frames: [
            'java.lang.Class.forName0',
            'org.opensearch.cluster.service.ClusterApplierService.runTask',
          ],
        },
      ],
    },
  ]);
});

test.each(['', '<html>', '::: {a}{b}', "   5% cpu usage by thread 'x'"])(
  'a text in another form has no threads: %j',
  (text) => {
    expect(parseHotThreads(text).flatMap(({ threads }) => threads)).toEqual([]);
  },
);
