/**
 * A source that generates documents from a profile: a file that describes the fields and values of real documents (`dyno learn`). It never
 * ends, and clients never wait for it.
 */
import { readFileSync, statSync } from 'node:fs';
import { ProfileDocuments, type DocumentSetting } from '../../../common/generators/profile/documents';
import { LARGEST_PROFILE, readProfile, type Profile } from '../../../common/generators/profile/profile';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import type { SourceJob } from '../../../common/tasks/source';
import { formatBytes } from '../../../common/units/format';
import { HeldDocument, type Batch } from './batch';
import { ACTION_LINE, type BatchLimit, type DocumentSource, type Filled, type SourceSetting } from './source';

/** Reads a profile of documents, which `dyno learn` has written. Throws a DynoError that names the file and the problem. */
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
        allowed: 'a profile written by `dyno learn`',
      });
    throw inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  }
}

export class ProfileSource implements DocumentSource {
  private readonly setting: Omit<DocumentSetting, 'from'>;
  private readonly actionLine: string;
  private documents: ProfileDocuments | null = null;
  private readonly held = new HeldDocument();

  constructor(
    private readonly profile: Profile,
    time: Extract<SourceJob, { kind: 'profile' }>['time'],
    {
      actionLine = ACTION_LINE,
      seed,
      share,
    }: Pick<SourceSetting, 'seed' | 'share'> & Partial<Pick<SourceSetting, 'actionLine'>>,
  ) {
    this.actionLine = actionLine;
    this.setting = { seed, share, time };
  }

  fill(batch: Batch, limit: BatchLimit, now: number): Filled {
    this.documents ??= new ProfileDocuments(this.profile, { ...this.setting, from: now });
    this.held.open(batch, limit.docs);
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      const document = Buffer.from(`${this.actionLine}${this.documents.next(now)}\n`);
      batch.reserve(document.length);
      batch.begin();
      batch.append(document);
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
