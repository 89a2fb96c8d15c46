/**
 * Routes for downloading the complete distribution of Elasticsearch, on hosts that start an embedded Elasticsearch. Otherwise, Dyno uses a
 * reduced distribution that lacks most modules.
 */
import * as z from 'zod';
import { route } from './route';

export const distributionStatusSchema = z.object({
  /** Whether this host can use the distribution, because it starts Elasticsearch itself. */
  offered: z.boolean(),
  /** Version of Elasticsearch; '' if this host cannot use the distribution. */
  version: z.string(),
  /** URL of the archive; '' if this host cannot use the distribution. */
  from: z.string(),
  state: z.enum(['absent', 'downloading', 'present']),
  /** Number of bytes downloaded so far; 0 if no download is running. */
  doneBytes: z.number(),
  /** Size of the archive in bytes; null while unknown. */
  totalBytes: z.number().nullable(),
  /** Reason why the last download failed; '' if it did not fail. */
  problem: z.string(),
});
export type DistributionStatus = z.output<typeof distributionStatusSchema>;

const PATH = '/api/dyno/distribution';

export const DISTRIBUTION_ROUTES = {
  getDistribution: route({
    method: 'GET',
    path: PATH,
    summary: 'Whether this host has the whole Elasticsearch, and the progress of its download',
    privilege: 'read',
    answer: 'json',
    response: distributionStatusSchema,
  }),
  downloadDistribution: route({
    method: 'POST',
    path: PATH,
    summary:
      'Download the whole Elasticsearch, about 600 MB, without blocking other requests; 409 if this host does not start Elasticsearch',
    privilege: 'manage',
    answer: 'json',
    response: distributionStatusSchema,
    status: 202,
  }),
  cancelDistribution: route({
    method: 'POST',
    path: `${PATH}/cancel`,
    summary: 'Cancel the download of the whole Elasticsearch. A later download resumes it',
    privilege: 'manage',
    answer: 'json',
    response: distributionStatusSchema,
  }),
};
