/** Unpacks the stacks of a profile. Blocks for up to 0.1 s, so servers call it in the analysis thread. */
import { gunzipSync } from 'node:zlib';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import { messageOf, runError } from '../../common/problem';
import { fromText } from '../../common/profile/stacks';
import type { TrialProfile } from '../../common/report/model/profile';

/** Maximum size of the text of stored stacks, in bytes. */
const MOST_UNPACKED = 32 * 1024 ** 2;

/** Throws a DynoError `results.profile` if the stacks are damaged or too large. */
export function unpackProfile(document: ProfileDocument): TrialProfile {
  try {
    const text = gunzipSync(Buffer.from(document.stacks, 'base64'), { maxOutputLength: MOST_UNPACKED });
    return { ...document, stacks: fromText(text.toString('utf8')) };
  } catch (error) {
    const message = `the profile cannot be read: ${messageOf(error)}`;
    throw runError('results.profile', document.trial.id, message, error);
  }
}
