/** `terms`: draws terms of a field in the target's documents. Dyno looks up the terms before the load of each trial. */
import * as z from 'zod';
import { count } from '../fields/schema';
import { drawnText } from '../requests/template';
import { defineParameterKind } from './kind';

export const terms = defineParameterKind({
  name: 'terms',
  schema: z.strictObject({
    /**
     * Field of type keyword, number, date, boolean or IP address.
     * @example user.id
     */
    field: z.string().min(1),
    /** Maximum number of terms. Dyno uses the most frequent ones. */
    size: count(1, 10_000).default(1000),
    /**
     * Probability of each term. `frequency`: in proportion to the number of documents with the term. `even`: all terms are equally likely.
     */
    by: z.enum(['frequency', 'even']).default('frequency'),
  }),
  text: 'Terms of a field of the indices. Dyno looks up the terms before the load of each trial, after the preload.',
  first: { field: 'user.id' },
  lookUp: ({ field, size }) => ({ what: 'terms', field, size }),
  found: ({ by }, { terms: found }) =>
    by === 'even'
      ? { values: found.map(({ value }) => value) }
      : { weighted: found.map(({ value, documents }) => ({ value, weight: documents })) },
  drawer: () => () => drawnText('term'),
});
