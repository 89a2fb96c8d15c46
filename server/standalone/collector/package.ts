/** Packs dynobeat and its configuration into a tar.gz for another machine. */
import { createReadStream } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { COLLECTOR_ARCHITECTURES, GZIP_TYPE, type CollectorArchitecture } from '../../../common/api/host';
import { inputError } from '../../../common/problem';
import type { StreamAnswer } from '../../routes/handler';
import { tarHeader, tarPadding, TAR_END } from './tar';

const binaryOf = (build: string, architecture: CollectorArchitecture): string =>
  path.join(build, `dynobeat-linux-${architecture}`);

/** Returns the architectures for which a binary is built. */
export async function builtArchitectures(build: string): Promise<CollectorArchitecture[]> {
  const there = await Promise.all(
    COLLECTOR_ARCHITECTURES.map((architecture) =>
      access(binaryOf(build, architecture)).then(
        () => [architecture],
        () => [],
      ),
    ),
  );
  return there.flat();
}

const README = `dynobeat, the collector of Dyno, with its configuration.

  sudo install dynobeat /usr/bin/
  sudo useradd --system dynobeat
  sudo install -D -o dynobeat -m 600 dynobeat.yml /etc/dynobeat/dynobeat.yml
  sudo install -m 644 dynobeat.service /etc/systemd/system/
  sudo -u dynobeat dynobeat test config --path.data /var/lib/dynobeat -c /etc/dynobeat/dynobeat.yml
  sudo systemctl enable --now dynobeat

If dynobeat.yml contains \${TARGET_SECRET} or \${RESULTS_SECRET}, add them to the keystore before you start dynobeat:

  sudo -u dynobeat dynobeat keystore create -c /etc/dynobeat/dynobeat.yml --path.data /var/lib/dynobeat
  sudo -u dynobeat dynobeat keystore add TARGET_SECRET -c /etc/dynobeat/dynobeat.yml --path.data /var/lib/dynobeat
`;

interface PackageOptions {
  /** Folder of the built binaries. */
  build: string;
  architecture: CollectorArchitecture;
  /** Contents of dynobeat.yml. */
  configuration: string;
}

/** Returns the package as a stream. Rejects with an input error `collector.no-package` if the binary is not built. */
export async function packageCollector({
  build,
  architecture,
  configuration,
}: PackageOptions): Promise<StreamAnswer> {
  const binary = binaryOf(build, architecture);
  const { size } = await stat(binary).catch(() => {
    throw inputError('collector.no-package', 'architecture', 'dynobeat is not built for this architecture', {
      found: architecture,
      allowed: 'an architecture after `npm run build:collector -- --all`',
    });
  });
  const folder = `dynobeat-linux-${architecture}`;
  const unit = await readFile(path.join(build, 'dynobeat.service'), 'utf8').catch(() => undefined);
  const at = new Date();

  function* text(name: string, content: string, mode: number): Generator<Buffer> {
    const bytes = Buffer.from(content);
    yield tarHeader({ name: `${folder}/${name}`, size: bytes.length, mode, at });
    yield bytes;
    yield tarPadding(bytes.length);
  }
  async function* entries(): AsyncGenerator<Buffer> {
    yield* text('README.txt', README, 0o644);
    // Only the owner may read this file, because it may contain secrets that the user entered.
    yield* text('dynobeat.yml', configuration, 0o600);
    if (unit !== undefined) yield* text('dynobeat.service', unit, 0o644);
    yield tarHeader({ name: `${folder}/dynobeat`, size, mode: 0o755, at });
    yield* createReadStream(binary, { end: Math.max(0, size - 1) }) as AsyncIterable<Buffer>;
    yield tarPadding(size);
    yield TAR_END;
  }
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  // An error in the pipeline destroys the stream, which ends the response.
  const stream = pipeline(Readable.from(entries()), gzip, () => undefined);
  return { contentType: GZIP_TYPE, fileName: `${folder}.tar.gz`, stream };
}
