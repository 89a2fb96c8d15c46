import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Connection } from './connection';
import { describeFailure } from './failure';

const failed = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

test('for a certificate with other names the error lists these names, not its authority', () => {
  const error = failed('ERR_TLS_CERT_ALTNAME_INVALID', {
    cert: {
      subject: { CN: 'ignored' },
      subjectaltname: 'DNS:es1.example.org, DNS:*.example.org, IP Address:10.0.0.7',
    },
  });
  const text = describeFailure('https://10.0.0.8:9200', new AggregateError([failed('ECONNRESET'), error]));
  expect(text).toBe(
    'has a certificate for es1.example.org, *.example.org, 10.0.0.7, not for 10.0.0.8: give the host by one of these names, ' +
      'have a certificate issued that contains 10.0.0.8, or switch the verification off, which accepts any certificate',
  );
});

test('a certificate without alternative names is identified by its common name, if it has one', () => {
  const code = 'ERR_TLS_CERT_ALTNAME_INVALID';
  expect(describeFailure('https://es', failed(code, { cert: { subject: { CN: 'instance' } } }))).toContain(
    'has a certificate for instance, not for es:',
  );
  expect(describeFailure('https://es', failed(code))).toContain('has a certificate that is not for es:');
});

test('for an expired or future certificate the error mentions the clock of this machine', () => {
  for (const code of ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']) {
    const text = describeFailure('https://es', failed(code));
    expect(text).toContain('by the clock of this machine (20');
    expect(text).not.toContain('authority');
  }
});

test('for an unknown authority the error explains how to configure it', () => {
  expect(describeFailure('https://es', failed('SELF_SIGNED_CERT_IN_CHAIN'))).toContain(
    'is not trusted (SELF_SIGNED_CERT_IN_CHAIN): give its certificate authority',
  );
});

const withOpenssl = spawnSync('openssl', ['version']).status === 0 ? describe : describe.skip;

withOpenssl('a real server', () => {
  test('with the certificate of another host is reported as such', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-certificate-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
      ].concat(['-days', '2', '-subj', '/CN=es1', '-addext', 'subjectAltName=DNS:es1.example.org']),
      { stdio: 'ignore' },
    );
    const ca = readFileSync(cert, 'utf8');
    const server = createServer({ key: readFileSync(key), cert: ca }, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = async (settings: object): Promise<string> => {
      const connection = new Connection({ hosts: [`https://127.0.0.1:${port}`], ...settings });
      const outcome = await connection.request({ method: 'GET', path: '/' }).then(
        ({ status }) => String(status),
        (error: Error) => error.message,
      );
      await connection.close();
      return outcome;
    };
    try {
      expect(await ask({ ca })).toContain('has a certificate for es1.example.org, not for 127.0.0.1:');
      expect(await ask({})).toContain('give its certificate authority');
      expect(await ask({ verifyCertificates: false })).toBe('200');
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
