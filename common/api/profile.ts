/** Parameters of requests for the profile of a run. */
import * as z from 'zod';
import { PROFILE_FORMATS } from '../measurement/profile-document';
import { PROFILE_EVENTS } from '../profile/events';
import type { ProfileQuery } from '../report/model/profile';

const cell = z.coerce.number().int().nonnegative();
const name = z.string().min(1).max(1000);

const event = z.enum(PROFILE_EVENTS).default('cpu');

export const profileQuery = z.object({
  cell: cell.optional(),
  against: z.union([z.literal('none'), cell]).optional(),
  event,
  node: name.optional(),
  pool: name.optional(),
}) satisfies z.ZodType<ProfileQuery>;

export const profileExportQuery = z.object({
  format: z.enum(PROFILE_FORMATS),
  cell: cell.optional(),
  event,
});
