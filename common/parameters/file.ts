/** `file`: values of a file, such as the terms that users search for. */
import * as z from 'zod';
import { drawnValue } from '../requests/template';
import { defineParameterKind } from './kind';

export const file = defineParameterKind({
  name: 'file',
  schema: z.strictObject({
    /**
     * The file, relative to the definition's: `.csv` or `.tsv` with a header, `.ndjson`, or any other with a value on each line.
     * @example terms.txt
     */
    path: z.string().min(1),
    /**
     * Of a table its column by the header, of documents a field, with dots. Nothing for a file of lines.
     * @example user.name
     */
    column: z.string().min(1).optional(),
    /** `drawn`: any of them, all equally likely. `in-turn`: one after the other, each once before the first comes again. */
    order: z.enum(['drawn', 'in-turn']).default('drawn'),
  }),
  text: 'The values of a file, or of one of its columns.',
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
