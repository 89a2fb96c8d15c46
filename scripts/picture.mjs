// `npm run picture`: takes the screenshot in the README, docs/images/result.png. It shows the first screen of the result page of the
// recorded example. Needs Chromium and the embedded Elasticsearch. Run it after `npm run record-example`, and after changes to the result
// page.
import './ends.mjs';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { buildApp } from './build-app.mjs';
import { buildOrFail } from './build.mjs';
import { findChromium } from './chromium.mjs';

const FILE = join(ROOT, 'docs', 'images', 'result.png');
const WINDOW = { width: 1200, height: 710 };
/** Maximum size of the screenshot, in bytes, so that the README loads quickly. */
const MOST_BYTES = 300 * 1024;

/** Starts Dyno with `folder` as data folder. Resolves to the process and the URL of the pages. */
function startDyno(folder) {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'build', 'dyno.js'), 'start', '--port', '0', '--no-collector'],
    {
      cwd: ROOT,
      env: { ...process.env, DYNO_DATA: join(folder, 'data'), DYNO_ELASTICSEARCH: undefined },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const url = /Dyno is at (http:\S+)/.exec(out)?.[1];
      if (url !== undefined) resolve({ child, url });
    });
    child.once('close', (code) => reject(new Error(`dyno start ended with exit code ${code} (see above)`)));
  });
}

await bootstrap();
const executablePath = findChromium();
if (executablePath === undefined) fail('the picture needs Chromium: install it, or set DYNO_CHROMIUM');
await buildOrFail();
await buildApp();
const { run } = JSON.parse(readFileSync(join(ROOT, 'common', 'example', 'label.json'), 'utf8'));
const folder = mkdtempSync(join(os.tmpdir(), 'dyno-picture-'));
// If this user is root, Elasticsearch runs as another user, which needs access to the folder.
chmodSync(folder, 0o755);
try {
  const { chromium } = await import('playwright-core');
  const { child, url } = await startDyno(folder);
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: WINDOW, colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${url}/runs/${run.id}/result`);
    await page.getByText('Trust', { exact: false }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForFunction('document.querySelector(\'[data-ech-render-complete="false"]\') === null');
    await page.screenshot({ path: FILE });
    await browser.close();
  } finally {
    child.kill('SIGINT');
    await ended;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const { size } = statSync(FILE);
if (size > MOST_BYTES) fail(`${FILE} has ${size} bytes; at most ${MOST_BYTES} are allowed`);
console.log(`${FILE} (${Math.round(size / 1024)} KB)`);
