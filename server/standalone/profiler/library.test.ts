import { libraryIn } from './library';

test.each([
  ['linux', 'x64', 'linux-x64/libasyncProfiler.so'],
  ['linux', 'arm64', 'linux-arm64/libasyncProfiler.so'],
  ['darwin', 'arm64', 'macos/libasyncProfiler.so'],
])('the jar has a library for %s %s', (platform, arch, library) => {
  expect(libraryIn(platform, arch)).toBe(library);
});

test('a machine without a library is refused', () => {
  expect(() => libraryIn('linux', 's390x')).toThrow(/not available for linux s390x/);
});
