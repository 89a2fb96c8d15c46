import packageFile from '../../node_modules/undici/package.json';
import { nodeRefusal } from './node-version';

test.each(['18.18.2', '16.16.0', '20.9.0', '20.18.0'])(
  'the plugin does not start on Node.js %s',
  (version) => {
    expect(nodeRefusal(version)).toContain(`runs on ${version}`);
  },
);

test.each(['20.18.1', '20.20.2', '22.0.0', '24.1.3'])('the plugin starts on Node.js %s', (version) => {
  expect(nodeRefusal(version)).toBeNull();
});

test('the oldest supported version of Node.js is the one that undici requires', () => {
  expect(`>=${/needs Node.js ([\d.]+)/.exec(nodeRefusal('1.0.0')!)![1]}`).toBe(packageFile.engines.node);
});
