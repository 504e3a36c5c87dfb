/** What a tag of HTML stands for in a message. All others are text, as is any of these with attributes. */
export interface Tag {
  name: string;
  isClosing: boolean;
  /** Of `<details open>`. */
  isOpen: boolean;
}

/** Elements for words. Some of them are other names: a message has no other element for the same meaning. */
const WORDS = ['b', 'del', 'em', 'i', 'kbd', 'mark', 's', 'strong', 'sub', 'sup', 'u'] as const;

export const WORD_MARKS: ReadonlySet<string> = new Set(WORDS);

/** Elements within each other; a tag beyond that is text, so that no text overflows the stack. */
export const DEEPEST_HTML = 20;

const TAG = new RegExp(`^<(/?)(?:(${WORDS.join('|')}|summary|details)\\s*|(br)\\s*/?|(details)\\s+(open))>$`, 'i');

/** An allowed tag; undefined for any other text. */
export function readTag(html: string): Tag | undefined {
  const [, slash = '', word, lineBreak, details, open] = TAG.exec(html) ?? [];
  const name = (word ?? lineBreak ?? details)?.toLowerCase();
  if (name === undefined || (slash !== '' && (lineBreak ?? open) !== undefined)) return undefined;
  return { name, isClosing: slash !== '', isOpen: open !== undefined };
}

const DETAILS_LINE = /^( {0,3})(?:<d(?=etails(?:\s+open)?\s*>)|<\/(?=details\s*>))/gim;
const TAG_LINE = new RegExp(`^( {0,3})<(?=/?summary\\s*>|(?:/?(?:${WORDS.join('|')})\\s*|br\\s*/?)>[ \\t]*$)`, 'gim');

/**
 * The text for a lexer that takes allowed tags for blocks of HTML, of the same length: a line that begins with a tag of
 * details is a heading, and one that begins with any other tag has a letter instead.
 */
export function tagsAsMarkdown(text: string): string {
  return text.includes('<') ? text.replace(DETAILS_LINE, '$1# ').replace(TAG_LINE, '$1x') : text;
}

const COMMENT = /<!--[^]*?-->/g;

export function withoutComments(html: string): string {
  return html.includes('<!--') ? html.replace(COMMENT, '') : html;
}
