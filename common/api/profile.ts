/** Parameters of requests for the profile of a run. */
import * as z from 'zod';
import type { ProfileQuery } from '../report/model/profile';

const cell = z.coerce.number().int().nonnegative();
const name = z.string().min(1).max(1000);

export const profileQuery = z.object({
  cell: cell.optional(),
  against: z.union([z.literal('none'), cell]).optional(),
  event: z.enum(['cpu', 'alloc', 'lock', 'wall']).default('cpu'),
  node: name.optional(),
  pool: name.optional(),
}) satisfies z.ZodType<ProfileQuery>;
