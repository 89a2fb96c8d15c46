import { inputError } from '../../common/problem';
import type { Connection } from '../target-cluster/connection';
import { SourceClusters } from './source-clusters';

function sources(): { clusters: SourceClusters; opened: string[]; closed: string[] } {
  const opened: string[] = [];
  const closed: string[] = [];
  const clusters = new SourceClusters({
    connect: (name) => {
      opened.push(name);
      if (name === 'nowhere')
        return Promise.reject(
          inputError('target.not-found', 'id', 'there is no such target', { found: name }),
        );
      return Promise.resolve({
        urls: [`http://${name}:9200`],
        close: () => Promise.resolve(void closed.push(name)),
      } as unknown as Connection);
    },
    withinMs: 1000,
    signal: new AbortController().signal,
    onNote: () => undefined,
  });
  return { clusters, opened, closed };
}

test('a cluster is connected once for all trials, and closed at the end', async () => {
  const { clusters, opened, closed } = sources();
  const both = await Promise.all([clusters.to('production'), clusters.to('production')]);
  expect(both.map(({ urls }) => urls)).toEqual([['http://production:9200'], ['http://production:9200']]);
  await clusters.to('archive');
  expect(opened).toEqual(['production', 'archive']);
  await clusters.close();
  expect(closed).toEqual(['production', 'archive']);
});

test('an unknown target is reported at its place in the definition', async () => {
  const { clusters } = sources();
  await expect(clusters.to('nowhere')).rejects.toThrow(
    'preload.from-target: there is no such target (found nowhere)',
  );
  await clusters.close();
});
