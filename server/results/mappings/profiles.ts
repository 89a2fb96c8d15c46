/** The mapping of `dyno-profiles-*`: one document for each trial and event. */
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import { date, keyword, long, object, opaque, type Fields } from './field';
import { experimentMark, id } from './measured';

export const profiles: Fields<ProfileDocument> = {
  '@timestamp': date,
  run: object<ProfileDocument['run']>(id),
  experiment: object<ProfileDocument['experiment']>(experimentMark),
  trial: object<ProfileDocument['trial']>({ id: keyword, repetition: long, order: long }),
  cell: object<ProfileDocument['cell']>({ id: keyword, label: keyword, index: long }),
  source: keyword,
  event: keyword,
  unit: keyword,
  total: long,
  samples: long,
  folded: long,
  stacks: opaque,
};
