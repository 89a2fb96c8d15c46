/** Serves Dyno's pages (a single-page app): immutable assets, and one HTML page for every other path. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const PAGE = 'index.html';
const ASSET = /^\w[\w.-]*$/;

const MISSING = `<!doctype html><title>Dyno</title><p>The app is not built. Run <code>npm start</code> or
<code>node scripts/build-app.mjs</code>, then reload this page. The HTTP API works without the app.</p>`;

/** Sends the HTML page. Its scripts show the contents for the path of the request. */
export type SendPage = (reply: FastifyReply) => FastifyReply;

/**
 * Registers the built files of the pages in `folder`, to which scripts/build-app.mjs writes. This script may write again while the server
 * runs. Returns the function that sends the HTML page.
 */
export async function registerPages(app: FastifyInstance, folder: string): Promise<SendPage> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  // Assets are not compressed here, because the build has already compressed them.
  app.get<{ Params: { name: string } }>('/assets/:name', { compress: false }, ({ params: { name } }, reply) =>
    // The names contain a hash of the content, so assets may be cached for long.
    ASSET.test(name)
      ? reply
          // Clients that accept gzip get the `.gz` file. This header makes caches distinguish clients that accept gzip from others.
          .header('vary', 'accept-encoding')
          .sendFile(`assets/${name}`, folder, { maxAge: '365d', immutable: true })
      : reply.callNotFound(),
  );
  return (reply) =>
    existsSync(path.join(folder, PAGE))
      ? reply.header('cache-control', 'no-cache').sendFile(PAGE, folder, { cacheControl: false })
      : reply.code(503).type('text/html; charset=utf-8').send(MISSING);
}
