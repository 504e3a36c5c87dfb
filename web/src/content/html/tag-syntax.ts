// How allowed tags are parsed. CommonMark takes a line that begins with `<details>`, or is a tag alone, for the start of
// a block of HTML, in which nothing else is Markdown. Here such a tag ends with itself, and Markdown goes on after it.
import { htmlFlow } from 'micromark-core-commonmark';
import type { Code, Construct, Effects, Extension, State, Token } from 'micromark-util-types';
import type { SyntaxNode } from '../finish-syntax-tree.ts';
import { readTag, type Tag } from './tags.ts';

/** The type of a node for a line that begins with a tag of details: `value` is the tag, `children` what follows it. */
export const DETAILS_LINE = 'detailsLine';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    detailsLine: 'detailsLine';
    htmlTag: 'htmlTag';
  }
}

const LESS_THAN = 60;
const GREATER_THAN = 62;
const LONGEST_TAG = 20;

/** Reads an allowed tag of some kind. */
function readingTag(isWanted: (tag: Tag) => boolean): (effects: Effects, ok: State, nok: State) => State {
  return (effects, ok, nok) => {
    let read = '';
    const within: State = (code) => {
      if (isLineEnd(code) || read.length > LONGEST_TAG || (code === LESS_THAN && read !== '')) return nok(code);
      effects.consume(code);
      read += code < 0 ? ' ' : String.fromCharCode(code);
      return code === GREATER_THAN ? after : within;
    };
    const after: State = (code) => {
      const tag = readTag(read);
      if (!tag || !isWanted(tag)) return nok(code);
      effects.exit('htmlTag');
      return ok(code);
    };
    return (code) => {
      effects.enter('htmlTag');
      return within(code);
    };
  };
}

function isLineEnd(code: Code): code is null | -5 | -4 | -3 {
  return code === null || (code < 0 && code > -6 && code < -2);
}

const WORD_TAG: Construct = { partial: true, tokenize: readingTag(({ name }) => name !== 'details') };

/** A block of any other HTML. */
const OTHER_HTML: Construct = {
  ...htmlFlow,
  name: 'otherHtml',
  tokenize(effects, ok, nok) {
    return effects.check(WORD_TAG, nok, htmlFlow.tokenize.call(this, effects, ok, nok));
  },
};

const readDetails = readingTag(({ name }) => name === 'details');

const DETAILS: Construct = {
  name: 'detailsLine',
  tokenize(effects, ok, nok) {
    const rest: State = (code) => {
      if (isLineEnd(code)) {
        effects.exit('chunkText');
        effects.exit('detailsLine');
        return ok(code);
      }
      effects.consume(code);
      return rest;
    };
    const after: State = (code) => {
      if (isLineEnd(code)) {
        effects.exit('detailsLine');
        return ok(code);
      }
      effects.enter('chunkText', { contentType: 'text' });
      return rest(code);
    };
    const tag = readDetails(effects, after, nok);
    return (code) => {
      effects.enter('detailsLine');
      return tag(code);
    };
  },
};

export const tagSyntax: Extension = {
  disable: { null: ['htmlFlow'] },
  flow: { [LESS_THAN]: [DETAILS, OTHER_HTML] },
};

/** The part of mdast-util-from-markdown's compiler that is used here. */
interface Compiler {
  stack: SyntaxNode[];
  enter: (node: never, token: Token) => void;
  exit: (token: Token) => void;
  sliceSerialize: (token: Token) => string;
}

/** Makes nodes of the tokens. */
export const tagNodes = {
  enter: {
    detailsLine(this: Compiler, token: Token) {
      const line: SyntaxNode = { type: DETAILS_LINE, value: '', children: [] };
      this.enter(line as never, token);
    },
  },
  exit: {
    htmlTag(this: Compiler, token: Token) {
      const line = this.stack.at(-1);
      if (line) line.value = this.sliceSerialize(token);
    },
    detailsLine(this: Compiler, token: Token) {
      this.exit(token);
    },
  },
};
