/** A source that makes its documents from a template: endless, seeded, never waiting. */
import { createRandom } from '../../../common/random';
import type { Batch } from './batch';
import { ACTION_LINE, type BatchLimit, type DocumentSource, type Filled, type SourceSetting } from './source';
import { CompiledTemplate } from './compiled-template';
import type { Part } from '../../../common/generators/template';

export class GeneratorSource implements DocumentSource {
  private readonly template: CompiledTemplate;
  /** A document that did not fit into the last batch: it opens the next one. */
  private held: Uint8Array | null = null;

  /** `parts` of one document as JSON, without action line and line feed. */
  constructor(
    parts: readonly Part[],
    {
      seed,
      actionLine = ACTION_LINE,
    }: Pick<SourceSetting, 'seed'> & Partial<Pick<SourceSetting, 'actionLine'>>,
  ) {
    this.template = new CompiledTemplate(
      [{ kind: 'text', text: actionLine }, ...parts, { kind: 'text', text: '\n' }],
      createRandom(seed),
    );
  }

  fill(batch: Batch, limit: BatchLimit, now: number): Filled {
    const { template } = this;
    template.setTime(now);
    if (this.held !== null && batch.count < limit.docs) {
      batch.reserve(this.held.length);
      batch.begin();
      batch.append(this.held);
      this.held = null;
    }
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      template.render(batch);
      if (batch.length > limit.bytes && batch.count > 1) {
        this.held = batch.removeLast();
        break;
      }
    }
    return 'full';
  }

  whenReady(resume: () => void): void {
    setImmediate(resume);
  }

  close(): void {
    this.held = null;
  }
}
