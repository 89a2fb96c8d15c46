/** A source that makes documents of a profile: endless, seeded, never waiting. */
import { readFileSync, statSync } from 'node:fs';
import { LARGEST_PROFILE, readProfile, type Profile } from '../../../../common/generators/profile/profile';
import { DynoError, inputError, messageOf } from '../../../../common/problem';
import type { SourceJob } from '../../../../common/tasks/source';
import { formatBytes } from '../../../../common/units/format';
import type { Batch } from '../batch';
import {
  ACTION_LINE,
  type BatchLimit,
  type DocumentSource,
  type Filled,
  type SourceSetting,
} from '../source';
import { ProfileDocuments } from './documents';

const LINE_FEED = 10;

/** Throws a DynoError (input) that names the file and what is wrong with it. */
export function openProfile(file: string): Profile {
  try {
    const { size } = statSync(file);
    if (size > LARGEST_PROFILE)
      throw inputError('profile.invalid', file, 'is too large for a profile', {
        found: formatBytes(size),
        allowed: `at most ${formatBytes(LARGEST_PROFILE)}`,
      });
    return readProfile(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof DynoError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw inputError('source.missing', file, 'does not exist', {
        allowed: 'a profile that `dyno learn` wrote',
      });
    throw inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  }
}

export class ProfileSource implements DocumentSource {
  private readonly action: Uint8Array;
  private readonly setting: Pick<SourceSetting, 'seed' | 'share'>;
  private documents: ProfileDocuments | null = null;
  /** Length of a document that did not fit into the last batch: it opens the next one. */
  private held = 0;

  constructor(
    private readonly profile: Profile,
    private readonly time: Extract<SourceJob, { kind: 'profile' }>['time'],
    {
      actionLine = ACTION_LINE,
      ...setting
    }: Pick<SourceSetting, 'seed' | 'share'> & Partial<Pick<SourceSetting, 'actionLine'>>,
  ) {
    this.action = new Uint8Array(Buffer.from(actionLine));
    this.setting = setting;
  }

  fill(batch: Batch, limit: BatchLimit, now: number): Filled {
    // The first documents have the time of their making, whatever comes after them.
    const documents = (this.documents ??= new ProfileDocuments(this.profile, {
      ...this.setting,
      time: this.time,
      from: now,
    }));
    documents.setTime(now);
    const { action } = this;
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      const length = this.held > 0 ? this.held : documents.make();
      const whole = action.length + length + 1;
      if (batch.count > 0 && batch.length + whole > limit.bytes) {
        this.held = length;
        break;
      }
      this.held = 0;
      batch.reserve(whole);
      batch.begin();
      batch.append(action);
      const out = batch.bytes;
      documents.bytes.copy(out, batch.length, 0, length);
      batch.length += length;
      out[batch.length] = LINE_FEED;
      batch.length += 1;
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    setImmediate(resume);
  }

  close(): void {
    this.held = 0;
  }
}
