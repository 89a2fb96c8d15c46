/** `file`: values from a file, such as the search terms of users. */
import * as z from 'zod';
import { drawnValue } from '../requests/template';
import { defineParameterKind } from './kind';

export const file = defineParameterKind({
  name: 'file',
  schema: z.strictObject({
    /**
     * The file, relative to the definition's: `.csv` or `.tsv` with a header, `.ndjson`, or any other file with one value per line.
     * @example terms.txt
     */
    path: z.string().min(1),
    /**
     * Column of a table by its header, or field of documents (with dots). Not for a file with one value per line.
     * @example user.name
     */
    column: z.string().min(1).optional(),
    /** `drawn`: all values are equally likely. `in-turn`: each value is used once before the first is used again. */
    order: z.enum(['drawn', 'in-turn']).default('drawn'),
  }),
  text: 'Values from a file, or from one of its columns.',
  first: { path: 'terms.txt' },
  column: ({ path, column }) => ({ key: 'path', path, column }),
  drawer: ({ path, column, order }, { random, share, valuesIn }) => {
    const all = valuesIn({ path, column }).map(drawnValue);
    if (order === 'drawn') return () => all[random.below(all.length)]!;
    let next = share.index;
    return () => {
      const own = all[next % all.length]!;
      next += share.of;
      return own;
    };
  },
});
