import { until } from '../../../test/support/until';
import { NodeWatch, type WatchedNode } from './node-watch';

/** A node that answers until `hang` is called. It ends with `end` or when it is killed. `words`: exit status that it reports. */
function aNode(name: string, words = ''): WatchedNode & { end: () => void; hang: () => void } {
  let end!: () => void;
  let answering = true;
  const exit = new Promise<void>((resolve) => (end = resolve));
  return {
    name,
    exit,
    answers: () => Promise.resolve(answering),
    kill: () => Promise.resolve(end()),
    lastWords: () => Promise.resolve(words),
    end,
    hang: () => (answering = false),
  };
}

const EVERY_MS = 5;

test('reports a node that ends and the remaining nodes, and the end of all nodes', async () => {
  const nodes = [aNode('dyno-1'), aNode('dyno-2', 'with code 137'), aNode('dyno-3')];
  const watch = new NodeWatch(nodes, EVERY_MS);
  const losses: string[] = [];
  watch.onLoss(({ message }) => losses.push(message));
  let ended = '';
  void watch.ended.then((message) => (ended = message));
  nodes[1]!.end();
  await until('a loss', () => losses.length === 1);
  expect([losses, ended]).toEqual([
    ['the node dyno-2 ended unexpectedly with code 137; still running: dyno-1, dyno-3'],
    '',
  ]);
  nodes[0]!.end();
  await until('another', () => losses.length === 2);
  nodes[2]!.end();
  await until('the end', () => ended !== '');
  expect([losses[1], ended]).toEqual([
    'the node dyno-1 ended unexpectedly; still running: dyno-3',
    'the node dyno-3 ended unexpectedly',
  ]);
  const late: string[] = [];
  watch.onLoss(({ node }) => late.push(node));
  expect(late).toEqual(['dyno-2', 'dyno-1', 'dyno-3']);
});

test('kills and reports a node that no longer answers', async () => {
  const nodes = [aNode('dyno-1'), aNode('dyno-2')];
  const watch = new NodeWatch(nodes, EVERY_MS);
  const losses: string[] = [];
  watch.onLoss(({ message }) => losses.push(message));
  nodes[1]!.hang();
  await until('a loss', () => losses.length > 0);
  expect(losses).toEqual([
    'the node dyno-2 hung (no answer for 0.03 s) and was killed; still running: dyno-1',
  ]);
  watch.stop();
});

test('a requested stop is not a loss', async () => {
  const nodes = [aNode('dyno-1'), aNode('dyno-2')];
  const watch = new NodeWatch(nodes, EVERY_MS);
  const losses: string[] = [];
  watch.onLoss(({ node }) => losses.push(node));
  watch.stop();
  nodes.forEach(({ end }) => end());
  await new Promise((resolve) => setTimeout(resolve, 5 * EVERY_MS));
  expect(losses).toEqual([]);
});
