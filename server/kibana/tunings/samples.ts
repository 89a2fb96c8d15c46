/**
 * Shares files with sample documents between all Kibana nodes. The files are stored in the index `dyno-corpora` of the results cluster. A
 * tuning (a series of experiments) ingests these documents. A node copies a file to its own folder before it executes a run that reads the
 * file.
 */
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Definition } from '../../../common/experiment/definition';
import { runError } from '../../../common/problem';
import { DocumentIndex } from '../../host/stores/document-index';
import { date, kept, long, type Fields } from '../../results/mappings/field';
import { isSampleName, sampleIn, samplesIn, type Samples } from '../../tuning/draft';
import { writeWhole } from '../../whole-file';

export const CORPORA = 'dyno-corpora';

/**
 * A piece of a file with sample documents. Its id contains the name of the file and the number of the piece. `parts`: total number of
 * pieces; 0 in the first piece if the file was removed.
 * Until a tuning that uses the file has started, an additional document marks the file as a draft. Its `parts` is {@link OF_DRAFT}.
 */
interface StoredPart {
  updated: string;
  parts: number;
  content: { text: string };
}

const fields: Fields<StoredPart> = { updated: date, parts: long, content: kept };

/** Maximum number of characters of a piece. Even as JSON in UTF-8, such a piece is far smaller than Elasticsearch's limit for a request. */
const PART_CHARACTERS = 2_000_000;

const partId = (file: string, number: number): string => `${file}~${number}`;
const OF_DRAFT = -1;
const markId = (file: string): string => `${file}~draft`;

export interface SharedSamples extends Samples {
  /**
   * Copies the file with sample documents that a definition reads to this node, unless this node already has the file. Rejects with a
   * DynoError.
   */
  fetch(definition: Pick<Definition, 'index' | 'tasks'>): Promise<void>;
  /** Deletes the copies of sample files on this node that the results cluster no longer contains. */
  sweep(): Promise<void>;
}

/**
 * Creates the store. `results`: client of the results cluster with the rights of a user. `folder`: folder of the files that experiments on
 * this node may read.
 */
export function sharedSamples(results: ElasticsearchClient, folder: string): SharedSamples {
  const documents = new DocumentIndex<StoredPart>(results, CORPORA, fields, 'samples of documents');
  const here = samplesIn(folder);
  const part = (parts: number, text: string): StoredPart => ({
    updated: new Date().toISOString(),
    parts,
    content: { text },
  });

  return {
    async keep(file, text) {
      await documents.create(markId(file), part(OF_DRAFT, ''));
      const parts = Math.max(1, Math.ceil(text.length / PART_CHARACTERS));
      // The first part is stored last. A sample whose first part exists is therefore complete.
      for (let number = parts - 1; number >= 0; number -= 1) {
        const own = text.slice(number * PART_CHARACTERS, (number + 1) * PART_CHARACTERS);
        if ((await documents.create(partId(file, number), part(parts, own))) === undefined)
          throw runError('tuning.sample', '', `another sample was created at the same moment: try again`);
      }
      await here.keep(file, text);
      // The local file is not marked as a draft, because the results cluster records the drafts for all nodes.
      await here.take(file);
    },

    async take(file) {
      await documents.delete(markId(file));
      await here.take(file);
    },

    async drafts(before) {
      const marks = await documents.list({
        bool: {
          filter: [
            { term: { parts: OF_DRAFT } },
            { range: { updated: { lt: new Date(before).toISOString() } } },
          ],
        },
      });
      return marks.map(({ id }) => id.slice(0, -markId('').length));
    },

    async remove(file) {
      const first = await documents.get(partId(file, 0));
      // The document of the first part remains, and shows all nodes that the sample was removed, so that no node keeps its copy.
      if (first !== undefined) await documents.replace(first.id, part(0, ''), first.version);
      for (let number = 1; number < (first?.source.parts ?? 0); number += 1)
        await documents.delete(partId(file, number));
      await documents.delete(markId(file));
      await here.remove(file);
    },

    async fetch(definition) {
      const file = sampleIn(definition);
      if (file === undefined || (await isThere(path.join(folder, file)))) return;
      const first = await documents.get(partId(file, 0));
      if (first === undefined || first.source.parts === 0) return;
      const texts = [first.source.content.text];
      for (let number = 1; number < first.source.parts; number += 1) {
        const next = await documents.get(partId(file, number));
        if (next === undefined)
          throw runError('tuning.sample', '', `the sample ${file} is no longer complete`);
        texts.push(next.source.content.text);
      }
      await mkdir(folder, { recursive: true });
      await writeWhole(path.join(folder, file), texts.join(''), { mode: 0o600 });
    },

    async sweep() {
      const names = (await readdir(folder).catch((): string[] => [])).filter(isSampleName);
      if (names.length === 0) return;
      for (const { id, source } of await documents.getMany(names.map((file) => partId(file, 0))))
        if (source.parts === 0) await rm(path.join(folder, id.slice(0, -'~0'.length)), { force: true });
    },
  };
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
