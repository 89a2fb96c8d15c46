// A proxy on loopback: logs each request (method path body) to --log, and can give unusual answers.
//   node wire-proxy.mjs --port P --to URL [--log FILE] [mode=VALUE...]
// bulk modes, every N-th item (the document is removed from the bulk):
//   failure-store=N noop=N breaker=N  as odd-proxy
//   fs-failed=N      status 400 with failure_store:"failed" + error
//   no-result=N      item {_index,_id,status:201} without result, forwarded (stored)
//   no-status=N      item {_index,_id,result:created} without status, not stored
//   errors-false=N   item 400 with error, while errors:false
//   noop-update      -
// bulk modes, every N-th bulk:
//   fewer=N  drops the last item of the answer ;  more=N doubles the last ; reorder=N reverses items
//   empty=N answers {"took":1,"errors":false,"items":[]} and does not forward; cut=N cuts the body of the answer
//   noitems=N  {"took":0,"errors":false} without items, not forwarded
// search modes, every N-th search: timed_out=N, shards-failed=N, skip=N, took-missing=N, partial=N (is_partial), terminated=N
import http from 'node:http';
import fs from 'node:fs';
const args = process.argv.slice(2);
const opt = (n) => (args.includes(n) ? args[args.indexOf(n) + 1] : undefined);
const modes = Object.fromEntries(args.filter((a) => /^[a-z-]+=/.test(a)).map((a) => a.split(/=(.*)/s)));
const to = new URL(opt('--to'));
const log = opt('--log') ? fs.createWriteStream(opt('--log'), { flags: 'a' }) : undefined;
const nth = (name, at) => modes[name] !== undefined && (at + 1) % Number(modes[name]) === 0;
let bulks = 0,
  searches = 0;
const gone = {
  'failure-store': (m) => ({
    _index: `.fs-${m._index}`,
    _id: 'f',
    _version: 1,
    result: 'created',
    _shards: { total: 1, successful: 1, failed: 0 },
    status: 201,
    failure_store: 'used',
  }),
  noop: (m) => ({
    _index: m._index,
    _id: '_none',
    _version: -3,
    result: 'noop',
    _shards: { total: 0, successful: 0, failed: 0 },
    status: 200,
  }),
  breaker: (m) => ({
    _index: m._index,
    status: 429,
    error: { type: 'circuit_breaking_exception', reason: '[parent] Data too large' },
  }),
  'fs-failed': (m) => ({
    _index: m._index,
    _id: 'f',
    status: 400,
    failure_store: 'failed',
    error: { type: 'document_parsing_exception', reason: 'failed to parse field [n]' },
  }),
  'errors-false': (m) => ({
    _index: m._index,
    _id: 'f',
    status: 400,
    error: { type: 'document_parsing_exception', reason: 'failed to parse field [n]' },
  }),
  'no-status': (m) => ({ _index: m._index, _id: 'f', result: 'created' }),
  unavailable: (m) => ({
    _index: m._index,
    _id: 'f',
    status: 503,
    error: { type: 'unavailable_shards_exception', reason: 'primary shard is not active' },
  }),
  conflict: (m) => ({
    _index: m._index,
    _id: 'f',
    status: 409,
    error: { type: 'version_conflict_engine_exception', reason: 'document already exists' },
  }),
};
function pairs(body) {
  const lines = body
    .toString('utf8')
    .split('\n')
    .filter((l) => l !== '');
  const out = [];
  for (let i = 0; i < lines.length; i += 1) {
    const a = JSON.parse(lines[i]);
    out.push('delete' in a ? [lines[i]] : [lines[i], lines[(i += 1)]]);
  }
  return out;
}
http
  .createServer((req, res) => {
    const chunks = [];
    req.on('data', (c) => chunks.push(c));
    req.on('error', () => undefined);
    req.on('end', () => {
      let body = Buffer.concat(chunks);
      const path = req.url;
      log?.write(
        `${req.method} ${path} ${opt('--headers') !== undefined ? JSON.stringify(req.headers) : ''} ${body.length > 20000 ? `<${body.length} bytes>` : body.toString('utf8')}\n`,
      );
      const isBulk = /\/_bulk(\?|$)/.test(path);
      const isSearch = /\/_search(\?|$)/.test(path);
      let all, at, sAt;
      const kindOf = (i) => Object.keys(gone).find((n) => nth(n, i));
      if (isBulk) {
        at = bulks++;
        const say = (t) =>
          res
            .writeHead(200, {
              'content-type': 'application/json',
              'x-elastic-product': 'Elasticsearch',
              'content-length': Buffer.byteLength(t),
            })
            .end(t);
        if (nth('empty', at)) return say('{"took":1,"errors":false,"items":[]}');
        if (nth('noitems', at)) return say('{"took":1,"errors":false}');
        if (Object.keys(gone).some((n) => modes[n] !== undefined) || modes['no-result']) {
          all = pairs(body);
          body = Buffer.from(
            all
              .filter((_, i) => kindOf(i) === undefined)
              .flat()
              .map((l) => `${l}\n`)
              .join(''),
          );
        }
      }
      if (isSearch) sAt = searches++;
      const headers = { ...req.headers, host: to.host, 'content-length': body.length };
      if (isBulk || isSearch) delete headers['accept-encoding'];
      const odd =
        (isBulk && Object.keys(modes).length > 0) ||
        (isSearch &&
          ['timed-out', 'shards-failed', 'partial', 'terminated', 'no-took'].some((m) => modes[m]));
      const own = http.request(
        { host: to.hostname, port: to.port, method: req.method, path, headers },
        (ans) => {
          if (!odd || ans.statusCode !== 200) {
            res.writeHead(ans.statusCode, ans.headers);
            return void ans.pipe(res);
          }
          const parts = [];
          ans
            .on('data', (p) => parts.push(p))
            .on('end', () => {
              let answered = JSON.parse(Buffer.concat(parts).toString('utf8'));
              if (isBulk) {
                let items = answered.items;
                if (all)
                  items = all.map(([action], i) => {
                    const n = kindOf(i);
                    if (n === undefined) {
                      const it = answered.items.shift();
                      if (nth('no-result', i)) {
                        const v = Object.values(it)[0];
                        delete v.result;
                        delete v._version;
                      }
                      return it;
                    }
                    const [[op, meta]] = Object.entries(JSON.parse(action));
                    return { [op]: gone[n]({ _index: path.split('/')[1], ...meta }) };
                  });
                if (nth('fewer', at)) items = items.slice(0, -1);
                if (nth('more', at)) items = [...items, items[items.length - 1]];
                if (nth('reorder', at)) items = [...items].reverse();
                answered.items = items;
                answered.errors = modes['errors-false']
                  ? false
                  : items.some((it) => Object.values(it)[0].status >= 300);
                if (modes['errors-last']) {
                  const { errors, took } = answered;
                  answered = { items, took, errors };
                }
              }
              if (isSearch) {
                if (nth('timed-out', sAt)) {
                  answered.timed_out = true;
                }
                if (nth('shards-failed', sAt)) {
                  answered._shards = {
                    total: 1,
                    successful: 0,
                    skipped: 0,
                    failed: 1,
                    failures: [
                      {
                        shard: 0,
                        index: 'x',
                        reason: { type: 'circuit_breaking_exception', reason: 'too large' },
                      },
                    ],
                  };
                }
                if (nth('terminated', sAt)) answered.terminated_early = true;
                if (nth('partial', sAt)) answered.is_partial = true;
                if (nth('no-took', sAt)) delete answered.took;
              }
              let text = JSON.stringify(answered);
              if (modes.pretty) text = JSON.stringify(answered, null, 2);
              if (isBulk && nth('cut', at)) text = text.slice(0, text.length >> 1);
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
  })
  .listen(Number(opt('--port')), '127.0.0.1', () =>
    console.log('listening', opt('--port'), JSON.stringify(modes)),
  );
