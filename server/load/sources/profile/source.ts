/** A source that makes documents of a profile: endless, seeded, never waiting. */
import { readFileSync, statSync } from 'node:fs';
import { LARGEST_PROFILE, readProfile, type Profile } from '../../../../common/generators/profile/profile';
import { DynoError, inputError, messageOf } from '../../../../common/problem';
import type { SourceJob } from '../../../../common/tasks/source';
import { formatBytes } from '../../../../common/units/format';
import { HeldDocument, type Batch } from '../batch';
import {
  ACTION_LINE,
  type BatchLimit,
  type DocumentSource,
  type Filled,
  type SourceSetting,
} from '../source';
import { ProfileDocuments, type DocumentSetting } from './documents';

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
  private readonly setting: Pick<DocumentSetting, 'seed' | 'share' | 'before'>;
  private documents: ProfileDocuments | null = null;
  private readonly held = new HeldDocument();

  constructor(
    private readonly profile: Profile,
    private readonly time: Extract<SourceJob, { kind: 'profile' }>['time'],
    {
      actionLine = ACTION_LINE,
      seed,
      share,
    }: Pick<SourceSetting, 'seed' | 'share'> & Partial<Pick<SourceSetting, 'actionLine'>>,
  ) {
    this.setting = { seed, share, before: actionLine };
  }

  fill(batch: Batch, limit: BatchLimit, now: number): Filled {
    // The first documents have the time of their making, whatever comes after them.
    const documents = (this.documents ??= new ProfileDocuments(this.profile, {
      ...this.setting,
      after: '\n',
      time: this.time,
      from: now,
    }));
    documents.setTime(now);
    this.held.open(batch, limit.docs);
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      documents.make(batch);
      if (this.held.takeBack(batch, limit.bytes)) break;
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    setImmediate(resume);
  }

  close(): void {
    this.held.drop();
  }
}
