import type { Code, Construct, Effects, Extension, State, Tokenizer } from 'micromark-util-types';
import { charFor, JOINED } from './emphasis-in-every-script.ts';

/** What `this` is in a plugin: its data holds the extensions of the parser. */
interface Processor {
  data: () => object;
}

/** Punctuation that no address has unless it is encoded: it ends the address, as a space does. */
const ENDS =
  /[\u3001-\u3003\u3008-\u3011\u3014-\u301F\uFF01\uFF08\uFF09\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F\uFF3B\uFF3D\uFF5B-\uFF64\u060C\u061B\u061F\u06D4\u0964\u0965“”«»]/;

/** What ends with the host of an address, so far. */
const HOST = /^(?:https?:\/\/)?[^/?#]*[a-z\d]$/i;

/**
 * A remark plugin, to be used after remark-gfm: an address that stands in the text as it is ends before punctuation of
 * scripts that write no space after it, and its host before a letter of such a script; `www.` begins one after a letter of
 * such a script.
 */
export function addressesInEveryScript(this: Processor): void {
  const { micromarkExtensions = [] }: { micromarkExtensions?: Extension[] } = this.data();
  for (const [index, extension] of micromarkExtensions.entries()) {
    const text = Object.entries(extension.text ?? {});
    if (text.some(([, constructs]) => [constructs].flat().some(isAddress)))
      micromarkExtensions[index] = {
        ...extension,
        text: Object.fromEntries(
          text.map(([code, constructs]) => [
            code,
            [constructs ?? []].flat().map((construct) => (isAddress(construct) ? bounded(construct) : construct)),
          ]),
        ),
      };
  }
}

function isAddress(construct: Construct | undefined): boolean {
  return construct?.name === 'protocolAutolink' || construct?.name === 'wwwAutolink';
}

/** The construct, which takes certain characters for the end of the text. */
function bounded(construct: Construct): Construct {
  const isWww = construct.name === 'wwwAutolink';
  return {
    ...construct,
    previous(code) {
      return construct.previous?.call(this, code) !== false || (isWww && JOINED.test(charFor(code)));
    },
    tokenize(effects, ok, nok) {
      const { previous } = this;
      const bound = new Bound();
      const inner = bound.tokenizer(construct, true).call(this, effects, ok, nok);
      return (code) => {
        if (isWww && JOINED.test(charFor(previous))) this.previous = null;
        const next = bound.state(inner)(code);
        this.previous = previous;
        return next;
      };
    },
  };
}

/** One reading of an address. The tokenizer has to get the codes that it gave, whatever the constructs take them for. */
class Bound {
  #read = '';
  #code: Code = null;
  #isDone = false;

  state(inner: State): State {
    return (code) => {
      this.#code = code;
      const char = charFor(code);
      const isEnd = ENDS.test(char) || (JOINED.test(char) && HOST.test(this.#read));
      if (!isEnd) this.#read += char;
      const next = inner(isEnd ? null : code);
      return this.#isDone || !next ? next : this.state(next);
    };
  }

  /** The construct's, and that of each construct that it tries. */
  tokenizer({ tokenize }: Construct, isWhole = false): Tokenizer {
    const said = (state: State) => () => {
      this.#isDone = isWhole;
      return state(this.#code);
    };
    const bound = (effects: Effects) => this.#effects(effects);
    return function tokenizeBounded(effects, ok, nok) {
      return tokenize.call(this, bound(effects), said(ok), said(nok));
    };
  }

  #effects(effects: Effects): Effects {
    const trying =
      (method: Effects['attempt']): Effects['attempt'] =>
      (tried, ...states) => {
        const isOne = !Array.isArray(tried) && 'tokenize' in tried;
        return method(isOne ? { ...tried, tokenize: this.tokenizer(tried as Construct) } : tried, ...states);
      };
    return { ...effects, attempt: trying(effects.attempt), check: trying(effects.check) };
  }
}
