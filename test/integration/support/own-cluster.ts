/** Selects the shared cluster of this Jest worker. Jest executes this code before each test file. */
import { SHARED_CLUSTER, SHARED_CLUSTERS } from './shared-cluster';

const urls = (process.env[SHARED_CLUSTERS] ?? '').split(' ');
const url = urls[Number(process.env.JEST_WORKER_ID ?? '1') - 1];
if (url === undefined) throw new Error(`no shared cluster for Jest's worker ${process.env.JEST_WORKER_ID}`);
process.env[SHARED_CLUSTER] = url;
