/** The app's files: assets that never change, and the one page that answers every other path. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const PAGE = 'index.html';
const ASSET = /^\w[\w.-]*$/;

const MISSING = `<!doctype html><title>Dyno</title><p>The app is not built: <code>npm start</code> does it, or
<code>node scripts/build-app.mjs</code>; then load this page again. The HTTP interface works without it.</p>`;

/** Answers with the page, for whatever path of the app. */
export type SendPage = (reply: FastifyReply) => FastifyReply;

/** `folder`: what scripts/build-app.mjs writes; it may be written while the server runs. */
export async function registerPages(app: FastifyInstance, folder: string): Promise<SendPage> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  // Those that are worth it are compressed already.
  app.get<{ Params: { name: string } }>('/assets/:name', { compress: false }, ({ params: { name } }, reply) =>
    // Their names follow from their content.
    ASSET.test(name)
      ? reply
          // Whoever takes gzip gets the `.gz` beside it.
          .header('vary', 'accept-encoding')
          .sendFile(`assets/${name}`, folder, { maxAge: '365d', immutable: true })
      : reply.callNotFound(),
  );
  return (reply) =>
    existsSync(path.join(folder, PAGE))
      ? reply.header('cache-control', 'no-cache').sendFile(PAGE, folder, { cacheControl: false })
      : reply.code(503).type('text/html; charset=utf-8').send(MISSING);
}
