import type { ReactElement } from 'react';
import parseMarkdown, { type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remend from 'remend';
import { elements } from './elements.tsx';
import { finishOpenTree, finishTree } from './finish-tree.ts';
import { htmlAsText } from './html-as-text.ts';
import { safeAddress } from './links.tsx';
import { normaliseMath } from './normalise-math.ts';

const finished: Options = {
  // A lone tilde means "about" and a lone dollar is money far more often than markup.
  remarkPlugins: [[remarkGfm, { singleTilde: false }], [remarkMath, { singleDollarTextMath: false }], htmlAsText],
  rehypePlugins: [finishTree],
  components: elements,
  urlTransform: safeAddress,
};

const open: Options = { ...finished, rehypePlugins: [finishOpenTree] };

/** A longer block takes a tenth of a second and more; nobody writes such, a machine gone astray does. */
const LONGEST_PARSED = 20_000;

/**
 * Parses the block that is being written: marks that wait for their other half are closed for now.
 * Undefined for a block that is better shown as it is.
 */
export function parseOpen(text: string): ReactElement | undefined {
  return parse(text, open, () => mended(normaliseMath(text, true)));
}

const MONEY = '\uE001';

/** The mender takes a lone dollar for the start of a formula and mends nothing after it, so it sees none. */
function mended(text: string): string {
  const masked = text.replace(/(?<!\$)\$(?!\$)/g, MONEY);
  return remend(masked, { katex: false }).replaceAll(MONEY, '$');
}

/**
 * Parses a block that is finished. What was parsed lately is kept, so that messages that scroll out of sight and back
 * are not parsed anew; the elements hold no state, any number of places may show them. Undefined as for parseOpen.
 */
export function parseFinished(text: string): ReactElement | undefined {
  const element = parsed.get(text) ?? parse(text, finished, () => normaliseMath(text));
  return element && remembered(text, element);
}

function parse(text: string, options: Options, prepare: () => string): ReactElement | undefined {
  if (text.length > LONGEST_PARSED) return undefined;
  try {
    return parseMarkdown({ ...options, children: prepare() });
  } catch {
    // Thousands of marks inside one another overflow the parser's stack.
    return undefined;
  }
}

/** UTF-16 units of markdown whose elements are kept; elements take some fifty times that in memory. */
const KEPT_LENGTH = 300_000;
const parsed = new Map<string, ReactElement>();
let keptLength = 0;

/** A map keeps the order of insertion: what was used longest ago comes first and goes first. */
function remembered(text: string, element: ReactElement): ReactElement {
  if (!parsed.delete(text)) keptLength += text.length;
  parsed.set(text, element);
  for (const oldest of parsed.keys()) {
    if (keptLength <= KEPT_LENGTH) break;
    parsed.delete(oldest);
    keptLength -= oldest.length;
  }
  return element;
}
