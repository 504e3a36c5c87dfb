import { attention } from 'micromark-core-commonmark';
import type { Code, Construct, Extension, State, Token, TokenizeContext } from 'micromark-util-types';

/** What `this` is in a plugin: its data holds the extensions of the parser. */
interface Processor {
  data: () => object;
}

const ASTERISK = 42;
const UNDERSCORE = 95;
const TILDE = 126;

/**
 * A remark plugin, to be used after remark-gfm: marks of bold, italic and struck text beside punctuation also work where
 * no spaces separate words. CommonMark asks for a space or punctuation on the outer side of such a mark; Chinese,
 * Japanese, Korean and Thai do not write one, nor do Arabic and Hebrew after a prefix. Only a mark that touches a
 * character of these scripts is read differently: any other text parses as it does without the plugin.
 */
export function emphasisInEveryScript(this: Processor): void {
  const data: { micromarkExtensions?: Extension[] } = this.data();
  const extensions = (data.micromarkExtensions ??= []);
  for (const [index, extension] of extensions.entries()) {
    const struck = extension.text?.[TILDE];
    if (struck)
      extensions[index] = { ...extension, text: { ...extension.text, [TILDE]: [struck].flat().map(widened) } };
  }
  extensions.push({ text: { [ASTERISK]: EMPHASIS, [UNDERSCORE]: EMPHASIS } });
}

/** The construct, with marks that open and close in more places. */
function widened(construct: Construct): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const { previous } = this;
      const finish: State = (code) => {
        const mark = this.events.at(-1)?.[1];
        if (mark) widen(mark, charFor(code), charBefore(this, mark, previous), this.sliceSerialize(mark).charAt(0));
        return ok(code);
      };
      return construct.tokenize.call(this, effects, finish, nok);
    },
  };
}

const EMPHASIS = widened(attention);

/** The character of a code unit; a space for white space and the ends of the text. */
export function charFor(code: Code): string {
  return code === null || code < 0 ? ' ' : String.fromCharCode(code);
}

/** The whole character before the mark, of two code units where it has two. */
function charBefore(context: TokenizeContext, { start }: Token, previous: Code): string {
  const last = charFor(previous);
  if (!/[\uDC00-\uDFFF]/.test(last) || start._bufferIndex < 2) return last;
  return context.sliceSerialize({ start: { ...start, _bufferIndex: start._bufferIndex - 2 }, end: start });
}

/** Lets a mark open or close where CommonMark would with a space on its outer side. */
function widen(mark: Token, next: string, previous: string, sign: string): void {
  if (!JOINED.test(previous) && !JOINED.test(next)) return;
  const length = mark.end.offset - mark.start.offset;
  if (sign === '_' && length < 2) return;
  const opens = sign !== '_' || (IS_PUNCTUATION.test(next) && JOINED.test(previous));
  const closes = sign !== '_' || (IS_PUNCTUATION.test(previous) && JOINED.test(next));
  if (opens && canOpen(previous, next)) mark._open = true;
  if (closes && canClose(previous, next) && !(length === 1 && isProduct(previous, next))) mark._close = true;
}

/** Scripts without spaces between words or after prefixes, their punctuation included. High surrogates stand for Han. */
export const JOINED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Yi}\u3001-\u30FF\uFE10-\uFE1F\uFE30-\uFE4F\uFF01-\uFFEF\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Java}\p{sc=Bali}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\u060C\u061B\u061C\u061F\u0640\u064B-\u0655\u0670\u200F\uD82C\uD82D\uD840-\uD888]/u;
const IS_PUNCTUATION = /[\p{P}\p{S}]/u;
const SPACE = /\s/;
const OPENING = /[\p{Ps}\p{Pi}]/u;
const CLOSING = /[\p{Pe}\p{Pf}]/u;

/** Punctuation as CommonMark sees it, but for that of these scripts, which stands for letters here. */
function divides(char: string): boolean {
  return IS_PUNCTUATION.test(char) && !JOINED.test(char);
}

function canOpen(previous: string, next: string): boolean {
  if (SPACE.test(next) || CLOSING.test(next) || (JOINED.test(next) && /\p{Po}/u.test(next))) return false;
  return !divides(next) || SPACE.test(previous) || divides(previous) || JOINED.test(previous);
}

function canClose(previous: string, next: string): boolean {
  if (SPACE.test(previous) || OPENING.test(previous)) return false;
  return !divides(previous) || SPACE.test(next) || divides(next) || JOINED.test(next);
}

/** An asterisk between a bracket and a letter or digit multiplies: （a＋b）*h. */
function isProduct(previous: string, next: string): boolean {
  return CLOSING.test(previous) && /[a-z\d]/i.test(next);
}
