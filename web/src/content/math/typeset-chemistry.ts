import 'katex/contrib/mhchem';

/** The same typesetter, which now also knows `\ce` and `\pu`. */
export { typeset } from './typeset.ts';
