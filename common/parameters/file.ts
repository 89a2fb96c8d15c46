/** `file`: takes values from a file, such as search terms of users. */
import * as z from 'zod';
import { drawnValue } from '../requests/template';
import { defineParameterKind } from './kind';

export const file = defineParameterKind({
  name: 'file',
  schema: z.strictObject({
    /**
     * File with the values. The path is relative to the file of the definition. The file is a `.csv` or `.tsv` file with a header, an
     * `.ndjson` file, or any other file with one value per line.
     * @example terms.txt
     */
    path: z.string().min(1),
    /**
     * Name of the column in a `.csv` or `.tsv` file, or path of the field in an `.ndjson` file, with dots. Not allowed for a file with one
     * value per line.
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
