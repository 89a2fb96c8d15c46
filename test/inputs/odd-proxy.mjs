// A reverse proxy in front of a real Elasticsearch that gives unusual answers. Only for tests of a client on loopback.
//   node odd-proxy.mjs --port 9299 --to http://127.0.0.1:9200 MODE...
// prefix=/es/a       answers only below that path; elsewhere with the 404 of a web server
// failure-store=N    every N-th item of each bulk is answered as stored in a failure store (status 201, errors false)
// noop=N             every N-th item of each bulk is answered as dropped by a pipeline (status 200, result noop, version -3)
//                    (both also remove the document from the bulk, so that it is really not in the index)
// breaker=N          every N-th item of each bulk: 429 circuit_breaking_exception, and it is not stored
// limit=BYTES        413 without a body and a closed connection for larger requests, as http.max_content_length does
// hang=N             every N-th request is never answered
// uuid=TEXT          every answer has TEXT as the cluster's uuid, as another cluster would
// html=N             every N-th request: 200 with the login page of a gateway
import http from 'node:http';
const args = process.argv.slice(2);
const opt = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const modes = Object.fromEntries(args.filter((a) => /^[a-z-]+=/.test(a)).map((a) => a.split(/=(.*)/s)));
const to = new URL(opt('--to') ?? 'http://127.0.0.1:9200');
const prefix = modes.prefix ?? '';
const nth = (name, at) => modes[name] !== undefined && (at + 1) % Number(modes[name]) === 0;
let seen = 0;
const odd = {
  'failure-store': (meta) => ({
    _index: `.fs-${meta._index}`,
    _id: 'f',
    _version: 1,
    result: 'created',
    _shards: { total: 1, successful: 1, failed: 0 },
    status: 201,
    failure_store: 'used',
  }),
  noop: (meta) => ({
    _index: meta._index,
    _id: '_none',
    _version: -3,
    result: 'noop',
    _shards: { total: 0, successful: 0, failed: 0 },
    status: 200,
  }),
  breaker: (meta) => ({
    _index: meta._index,
    status: 429,
    error: {
      type: 'circuit_breaking_exception',
      reason:
        '[parent] Data too large, data for [indices:data/write/bulk[s]] would be [1.1gb], which is larger than the limit of [1gb]',
      bytes_wanted: 1,
      bytes_limit: 1,
      durability: 'TRANSIENT',
    },
  }),
};
const kindOf = (at) => Object.keys(odd).find((name) => nth(name, at));
// Lines of a bulk as [action, document?] pairs.
function pairs(body) {
  const lines = body
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const out = [];
  for (let i = 0; i < lines.length; i += 1) {
    const action = JSON.parse(lines[i]);
    out.push('delete' in action ? [lines[i]] : [lines[i], lines[(i += 1)]]);
  }
  return out;
}
function asAnother(answer, res) {
  const parts = [];
  answer
    .on('data', (part) => parts.push(part))
    .on('end', () => {
      const answered = Buffer.concat(parts).toString('utf8');
      const text = answered.replaceAll(/("cluster_uuid"\s*:\s*)"[^"]*"/g, `$1"${modes.uuid}"`);
      const headers = { ...answer.headers, 'content-length': Buffer.byteLength(text) };
      delete headers['transfer-encoding'];
      res.writeHead(answer.statusCode, headers).end(text);
    });
}
http
  .createServer((req, res) => {
    seen += 1;
    const at = seen - 1;
    const chunks = [];
    let size = 0;
    req.on('data', (chunk) => {
      size += chunk.length;
      if (modes.limit !== undefined && size > Number(modes.limit)) {
        res.writeHead(413, { 'content-length': 0, connection: 'close' }).end();
        req.destroy();
      } else chunks.push(chunk);
    });
    req.on('end', () => {
      if (prefix !== '' && !req.url.startsWith(`${prefix}/`) && req.url !== prefix)
        return res.writeHead(404, { 'content-type': 'text/html' }).end('<html><h1>404 Not Found</h1></html>');
      if (nth('hang', at)) return undefined;
      if (nth('html', at))
        return res.writeHead(200, { 'content-type': 'text/html' }).end('<html><form>Log in</form></html>');
      const path = req.url.slice(prefix.length) || '/';
      let body = Buffer.concat(chunks);
      let all;
      const isBulk = /\/_bulk(\?|$)/.test(path) && Object.keys(odd).some((name) => modes[name] !== undefined);
      if (isBulk) {
        all = pairs(body);
        body = Buffer.from(
          all
            .filter((_, i) => kindOf(i) === undefined)
            .flat()
            .map((line) => `${line}\n`)
            .join(''),
        );
      }
      const headers = { ...req.headers, host: to.host, 'content-length': body.length };
      delete headers['accept-encoding'];
      const own = http.request(
        { host: to.hostname, port: to.port, method: req.method, path, headers },
        (answer) => {
          if (modes.uuid !== undefined && !isBulk) return asAnother(answer, res);
          if (!isBulk || answer.statusCode !== 200)
            return res.writeHead(answer.statusCode, answer.headers) && answer.pipe(res);
          const parts = [];
          answer
            .on('data', (part) => parts.push(part))
            .on('end', () => {
              const answered = JSON.parse(
                Buffer.concat(parts).toString('utf8') || '{"took":0,"errors":false,"items":[]}',
              );
              const items = all.map(([action], i) => {
                const name = kindOf(i);
                if (name === undefined) return answered.items.shift();
                const [[op, meta]] = Object.entries(JSON.parse(action));
                return { [op]: odd[name]({ _index: path.split('/')[1], ...meta }) };
              });
              const errors = items.some((item) => Object.values(item)[0].status >= 300);
              const text = JSON.stringify({ took: answered.took, errors, items });
              res
                .writeHead(200, {
                  'content-type': 'application/json',
                  'x-elastic-product': 'Elasticsearch',
                  'content-length': Buffer.byteLength(text),
                })
                .end(text);
            });
        },
      );
      own.on('error', () => res.headersSent || res.writeHead(502).end());
      own.end(body);
    });
    req.on('error', () => undefined);
  })
  .listen(Number(opt('--port') ?? 9299), '127.0.0.1', () =>
    console.log('listening', opt('--port') ?? 9299, JSON.stringify(modes)),
  );
