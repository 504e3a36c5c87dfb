// The tags with which models mark reasoning inside their text, where servers leave them there.

const NAMES = 'think|thinking|thoughts?|reasoning|scratchpad|antthinking|antml:thinking|seed:think|mm:think';
const ELEMENT = new RegExp(`<(/?)(?:${NAMES})[ \\t]{0,4}>`, 'iy');
/** Cohere's, OpenThoughts', Gemma's. */
const TOKEN =
  /<\|(?:(start|begin|end)_(?:of_)?(?:thinking|thought)|(?:start|begin|end)_(?:of_)?(response|solution))\|>|<(\|channel>thought|channel\|>)/iy;
/** Mistral's and Moonshot's. As `[think](…)` may be a link, only capitals count. */
const BRACKETS = /\[(\/?)THINK\]|◁(\/?)think▷/y;

/** A message of the harmony format begins: `<|start|>assistant<|channel|>analysis<|message|>`. */
const HEADER = /<\|(?:start|channel)\|>(?:[^<\n]{0,80}<\|(?:channel|constrain)\|>){0,3}[^<\n]{0,80}<\|message\|>/y;
const HEADER_MAX = 500;
const HARMONY_END = /<\|(?:end|return|call)\|>/y;

export type Tag = { length: number } & (
  | { kind: 'open' | 'close' }
  /** Of the answer itself; it is not shown after a thought. */
  | { kind: 'mark' }
  /** Begins a thought or a piece of the answer. */
  | { kind: 'header'; isThought: boolean }
  | { kind: 'end' }
);

/** Where a tag may begin. */
export const TAG_START = /[<[◁]/g;

/** The tag at a place of a text; undefined where there is none. */
export function tagAt(text: string, at: number): Tag | undefined {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const element = match(ELEMENT) ?? match(BRACKETS);
  if (element) return { kind: (element[1] ?? element[2]) === '/' ? 'close' : 'open', length: element[0].length };
  const token = match(TOKEN);
  if (token) {
    const [whole, ofThought, ofAnswer, channel] = token;
    if (ofAnswer !== undefined) return { kind: 'mark', length: whole.length };
    const isEnd = ofThought?.toLowerCase() === 'end' || channel?.toLowerCase() === 'channel|>';
    return { kind: isEnd ? 'close' : 'open', length: whole.length };
  }
  const header = match(HEADER);
  if (header) return { kind: 'header', isThought: isOfThought(header[0]), length: header[0].length };
  const end = match(HARMONY_END);
  return end ? { kind: 'end', length: end[0].length } : undefined;
}

/** A call of a tool that the server did not read is no part of the answer either. */
function isOfThought(header: string): boolean {
  return /<\|channel\|>\s*(?:analysis|thought|thinking|reasoning)|\bto=/i.test(header);
}

const FIXED = [
  ...NAMES.replace('thoughts?', 'thought|thoughts')
    .split('|')
    .flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...['start_thinking', 'end_thinking', 'begin_of_thought', 'end_of_thought'].map((name) => `<|${name}|>`),
  ...['start_response', 'end_response', 'begin_of_solution', 'end_of_solution'].map((name) => `<|${name}|>`),
  '<|channel>thought',
  '<channel|>',
  '◁think▷',
  '◁/think▷',
  '<|end|>',
  '<|return|>',
  '<|call|>',
];
const HEADER_STARTS = ['<|start|>', '<|channel|>'];
const HEADER_TOKENS = ['<|start|>', '<|channel|>', '<|constrain|>', '<|message|>'];

/** Whether what stands at the end of a text may become a tag with more of it. */
export function mayBecomeTag(text: string, at: number): boolean {
  if (text.length - at > HEADER_MAX) return false;
  const tail = text.slice(at);
  if (['[THINK]', '[/THINK]'].some((tag) => tag.startsWith(tail))) return true;
  const lower = tail.toLowerCase();
  if (FIXED.some((tag) => tag.startsWith(lower))) return true;
  // Spaces may stand before the bracket that ends it.
  const bare = lower.trimEnd();
  if (/^<\/?[a-z:]+[ \t]{1,4}$/.test(lower) && FIXED.includes(`${bare}>`)) return true;
  return mayBecomeHeader(tail);
}

function mayBecomeHeader(tail: string): boolean {
  if (HEADER_STARTS.some((start) => start.startsWith(tail))) return true;
  if (!HEADER_STARTS.some((start) => tail.startsWith(start))) return false;
  const rest = tail.replaceAll(/<\|(?:start|channel|constrain)\|>/g, '').replace(/^[^<\n]*/, '');
  return rest === '' ? !tail.includes('\n') : HEADER_TOKENS.some((token) => token.startsWith(rest));
}
