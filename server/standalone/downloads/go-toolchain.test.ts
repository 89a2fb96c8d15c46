import { goToolchainFor, GO_VERSION } from './go-toolchain';

test('the toolchain comes from the proxy that GOPROXY names first', () => {
  const urlOf = (GOPROXY: string): string => goToolchainFor({ GOPROXY }, 'linux', 'x64')!.url;
  const path = `/golang.org/toolchain/@v/v0.0.1-go${GO_VERSION}.linux-amd64.zip`;
  expect(urlOf('')).toBe(`https://proxy.golang.org${path}`);
  expect(urlOf('https://proxy.example/go/,direct')).toBe(`https://proxy.example/go${path}`);
  expect(urlOf('off')).toBe(`https://proxy.golang.org${path}`);
});

test('offers no toolchain for systems without a collector', () => {
  expect(goToolchainFor({}, 'darwin', 'arm64')).toBeUndefined();
  expect(goToolchainFor({}, 'linux', 'riscv64')).toBeUndefined();
});
