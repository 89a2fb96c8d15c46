/** A source that renders documents from a template. It never ends, it is seeded, and clients never wait for it. */
import { createRandom } from '../../../common/random';
import { HeldDocument, type Batch } from './batch';
import { ACTION_LINE, type BatchLimit, type DocumentSource, type Filled, type SourceSetting } from './source';
import { CompiledTemplate } from './compiled-template';
import type { Part } from '../../../common/generators/template';

export class GeneratorSource implements DocumentSource {
  private readonly template: CompiledTemplate;
  private readonly held = new HeldDocument();

  /** `parts`: the parts of one document as JSON, without action line and line feed. */
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
    this.held.open(batch, limit.docs);
    while (batch.count < limit.docs && batch.length < limit.bytes) {
      template.render(batch);
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
