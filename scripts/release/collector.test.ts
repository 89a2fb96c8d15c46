import { packageNames } from './collector.mjs';

test('packages are named as Debian and Red Hat name them', () => {
  expect(packageNames('1.2.3', 'amd64')).toEqual({
    deb: 'dynobeat_1.2.3_amd64.deb',
    rpm: 'dynobeat-1.2.3-1.x86_64.rpm',
  });
});

test('a pre-release is ordered before its release', () => {
  expect(packageNames('1.2.3-rc.1', 'arm64')).toEqual({
    deb: 'dynobeat_1.2.3~rc.1_arm64.deb',
    rpm: 'dynobeat-1.2.3~rc.1-1.aarch64.rpm',
  });
});
