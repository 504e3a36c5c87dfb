import type { SyntaxNode } from '../finish-syntax-tree.ts';
import { DETAILS_LINE } from './tag-syntax.ts';
import { DEEPEST_HTML, readTag, withoutComments, WORD_MARKS, type Tag } from './tags.ts';

/** A node of Markdown, before it becomes HTML. */
interface MarkdownNode extends SyntaxNode {
  data?: { hName: string; hProperties?: Record<string, unknown> };
  children?: MarkdownNode[];
}

interface Options {
  /** More of the text is coming: a tag at its end is closed. */
  isOpen: boolean;
}

const HOLDS_BLOCKS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition', 'details']);

/**
 * A remark plugin, for a text of the syntax `tagSyntax`: makes elements of a short list of tags (`tags.ts`) that have
 * their end tag within the same parent, and shows all other HTML as text; comments are not shown. It makes elements of
 * its own from the names of tags: no HTML of a message is ever parsed as HTML.
 */
export function htmlInMessages({ isOpen }: Options) {
  return (root: MarkdownNode, file: { value: unknown }) => {
    if (typeof file.value === 'string' && file.value.includes('<')) rewrite(root, isOpen);
  };
}

/** `isEnd`: more text may come at the end of this node. */
function rewrite(node: MarkdownNode, isEnd: boolean): void {
  if (!node.children) return;
  node.children = HOLDS_BLOCKS.has(node.type) ? readBlocks(node.children, isEnd) : readWords(node.children, isEnd);
  const last = node.children.length - 1;
  for (const [index, child] of node.children.entries()) rewrite(child, isEnd && index === last);
}

const OPEN_COMMENT = /<!--[^]*$|<!-?$/;

/** A tag that is not closed yet, and what is in it. */
interface Frame {
  html: string;
  tag: Tag;
  children: MarkdownNode[];
}

/** Folds what is between `<details>` and `</details>`, or the end of the parent. */
function readBlocks(nodes: readonly MarkdownNode[], isEnd: boolean): MarkdownNode[] {
  const blocks: MarkdownNode[] = [];
  const frames: Frame[] = [];
  const add = (node: MarkdownNode) => void (frames.at(-1)?.children ?? blocks).push(node);
  const close = () => {
    const frame = frames.pop();
    if (frame) add(detailsOf(frame, isEnd));
  };
  const addWords = (words: readonly MarkdownNode[]) => {
    const at =
      frames.length > 0 ? words.findIndex(({ type, value = '' }) => type === 'html' && isEndOfDetails(value)) : -1;
    const before = at === -1 ? words : words.slice(0, at);
    if (!isBlank(before)) add({ type: 'paragraph', children: [...before] });
    if (at === -1) return;
    close();
    addWords(words.slice(at + 1));
  };
  for (const node of nodes) {
    const { type, value = '', children = [] } = node;
    const tag = type === DETAILS_LINE ? readTag(value) : undefined;
    if (tag && !tag.isClosing && frames.length < DEEPEST_HTML) {
      frames.push({ html: value, tag, children: [] });
      addWords(children);
    } else if (tag?.isClosing && frames.length > 0) {
      close();
      addWords(children);
    } else if (tag) addWords([{ type: 'text', value }, ...children]);
    else if (type === 'paragraph' && frames.length > 0) addWords(children);
    else if (type === 'html') addHtml(value, isEnd && node === nodes.at(-1), add);
    else add(node);
  }
  while (frames.length > 0) close();
  return blocks;
}

function isEndOfDetails(html: string): boolean {
  const tag = readTag(html);
  return tag?.name === 'details' && tag.isClosing;
}

function isBlank(words: readonly MarkdownNode[]): boolean {
  return words.every(({ type, value = '' }) => type === 'text' && value.trim() === '');
}

/** A block of other HTML, as text. */
function addHtml(html: string, isEnd: boolean, add: (node: MarkdownNode) => void): void {
  const shown = withoutComments(html);
  const value = isEnd ? shown.replace(OPEN_COMMENT, '') : shown;
  if (value.trim() !== '') add({ type: 'paragraph', children: [{ type: 'text', value }] });
}

function detailsOf({ tag, children: [first, ...others] }: Frame, isEnd: boolean): MarkdownNode {
  const { summary, rest } = takeSummary(first, isEnd && others.length === 0);
  return {
    type: 'details',
    data: { hName: 'details', hProperties: tag.isOpen ? { open: true } : {} },
    children: [...summary, ...rest, ...others],
  };
}

/** The summary that a paragraph begins with, and the rest of the paragraph. */
function takeSummary(first: MarkdownNode | undefined, isEnd: boolean): Record<'summary' | 'rest', MarkdownNode[]> {
  const words = first?.type === 'paragraph' ? (first.children ?? []) : [];
  const start = words.findIndex((word) => !isBlank([word]));
  const end = words.findIndex((word) => isSummaryTag(word, true));
  const isSummary = isSummaryTag(words[start], false) && (end !== -1 || isEnd);
  if (!isSummary) return { summary: [], rest: first ? [first] : [] };
  const inner = words.slice(start + 1, end === -1 ? undefined : end);
  const after = end === -1 ? [] : words.slice(end + 1);
  return {
    summary: [{ type: 'summary', data: { hName: 'summary' }, children: inner }],
    rest: isBlank(after) ? [] : [{ type: 'paragraph', children: after }],
  };
}

function isSummaryTag(node: MarkdownNode | undefined, isClosing: boolean): boolean {
  const tag = node?.type === 'html' ? readTag(node.value ?? '') : undefined;
  return tag?.name === 'summary' && tag.isClosing === isClosing;
}

/** Makes elements of the pairs of tags among words. */
function readWords(said: readonly MarkdownNode[], isEnd: boolean): MarkdownNode[] {
  const nodes = isEnd ? withoutOpenComment(said) : said;
  if (!nodes.some(({ type }) => type === 'html')) return [...nodes];
  const words: MarkdownNode[] = [];
  const frames: Frame[] = [];
  const add = (...added: MarkdownNode[]) => void (frames.at(-1)?.children ?? words).push(...added);
  /** Tags without an end, and what follows them. */
  const flatten = (depth: number) => {
    for (const { html, children } of frames.splice(depth)) add({ type: 'text', value: html }, ...children);
  };
  for (const node of nodes) {
    const html = node.type === 'html' ? (node.value ?? '') : '';
    const tag = readTag(html);
    const start = tag?.isClosing ? frames.findLastIndex((frame) => frame.tag.name === tag.name) : -1;
    if (node.type !== 'html') add(node);
    else if (tag?.name === 'br') add({ type: 'break' });
    else if (start !== -1) {
      flatten(start + 1);
      const frame = frames.pop();
      if (frame) add(elementOf(frame));
    } else if (tag && !tag.isClosing && WORD_MARKS.has(tag.name) && frames.length < DEEPEST_HTML)
      frames.push({ html, tag, children: [] });
    else if (withoutComments(html) !== '') add({ type: 'text', value: withoutComments(html) });
  }
  if (!isEnd) flatten(0);
  for (let frame = frames.pop(); frame; frame = frames.pop()) add(elementOf(frame));
  return words;
}

/** Words before a comment that is still being written. */
function withoutOpenComment(nodes: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const at = nodes.findIndex(({ type, value = '' }) => type === 'text' && OPEN_COMMENT.test(value));
  if (at === -1) return nodes;
  return [...nodes.slice(0, at), { type: 'text', value: (nodes[at]?.value ?? '').replace(OPEN_COMMENT, '') }];
}

function elementOf({ tag: { name }, children }: Frame): MarkdownNode {
  return { type: 'mark', data: { hName: name }, children };
}
