import type { ReactElement } from 'react';
import parseMarkdown, { type Options } from 'react-markdown';
import remend from 'remend';
import { onClearPersonalData } from '../lib/personal-data.ts';
import { elements } from './elements.tsx';
import { finishOpenTree, finishTree, type SyntaxNode } from './finish-syntax-tree.ts';
import { safeAddress } from './links.tsx';
import { htmlInMessages } from './html/html-in-messages.ts';
import { messageSyntax } from './message-syntax.ts';
import { restoreImages, shortenImages } from './long/embedded-images.ts';
import type { Within } from './long/long-block.tsx';
import { footnoteNodes } from './references/footnote-nodes.ts';
import { isTooDeep } from './split-blocks.ts';
import { normaliseMath } from './math/normalise-math.ts';
import { repairTables } from './table/repair-table.ts';
import { hasTags, splitTags, withoutTags } from './citation-marks/tag-citation-marks.ts';

/** The element of a mark; its property `data-mark` is the index. */
const CITATION_ELEMENT = 'cite';

function remarkPlugins(isOpen: boolean): NonNullable<Options['remarkPlugins']> {
  return [messageSyntax, [htmlInMessages, { isOpen }], citationMarkNodes, footnoteNodes];
}

const finished: Options = {
  remarkPlugins: remarkPlugins(false),
  rehypePlugins: [finishTree],
  components: elements,
  urlTransform: safeAddress,
};

const open: Options = { ...finished, remarkPlugins: remarkPlugins(true), rehypePlugins: [finishOpenTree] };

/** Longer pieces, which cannot be cut, take a tenth of a second and more; people do not write such text. */
export const LONGEST_PARSED = 20_000;

export interface ParseOptions {
  /** What other blocks define, as Markdown. */
  definitions: string;
  within: Within;
  /** The number of a list's first item. */
  start: number;
}

/**
 * Parses a streaming block: temporarily closes unfinished marks. Undefined for a block that is better shown as plain
 * text.
 */
export function parseOpen(text: string, options: ParseOptions): ReactElement | undefined {
  return parse(text, open, options, (short) => mended(normaliseMath(repairTables(short), true)));
}

const MONEY = '\uE001';

/** The mender reads a lone dollar as the start of a formula and mends nothing after it, so we hide dollars from it. */
function mended(text: string): string {
  const masked = text.replace(/(?<!\$)\$(?!\$)/g, MONEY);
  return remend(masked, { katex: false }).replaceAll(MONEY, '$');
}

/**
 * Parses a finished block. Recent results are cached, so that messages that scroll out of view and back are not parsed
 * again; the elements hold no state, so any number of components may render them. Undefined as for parseOpen.
 */
export function parseFinished(text: string, options: ParseOptions): ReactElement | undefined {
  const { definitions, within, start } = options;
  const key = definitions === '' && within === 'all' ? text : `${definitions}\0${within}\0${start}\0${text}`;
  const element = parsed.get(key) ?? parse(text, finished, options, (short) => normaliseMath(repairTables(short)));
  return element && remembered(key, element);
}

function parse(
  text: string,
  options: Options,
  { definitions, within, start }: ParseOptions,
  prepare: (text: string) => string,
): ReactElement | undefined {
  const short = shortenImages(text);
  if (short.text.length > LONGEST_PARSED || isTooDeep(text)) return undefined;
  const passes = [...(options.rehypePlugins ?? [])];
  if (short.text !== text) passes.push([restoreImages, short]);
  if (within !== 'all') passes.push([piecesOnly, within, start]);
  try {
    return parseMarkdown({ ...options, rehypePlugins: passes, children: definitions + prepare(short.text) });
  } catch {
    // Thousands of nested marks overflow the parser's stack.
    return undefined;
  }
}

/** Leaves the items of the list, or the head or rows of the table, that the text is. */
function piecesOnly(within: Exclude<Within, 'all'>, start: number) {
  return (root: SyntaxNode) => {
    const whole = root.children?.find(({ tagName }) => tagName !== undefined);
    const tag = within === 'head' ? 'thead' : 'tbody';
    const parent = within === 'list' ? whole : whole?.children?.find(({ tagName }) => tagName === tag);
    root.children = parent?.children?.filter(({ type }) => type === 'element') ?? [];
    const [first] = root.children;
    if (whole?.tagName === 'ol' && first) first.properties = { ...first.properties, value: start };
  };
}

/** UTF-16 units of markdown whose elements are cached; elements take about fifty times as much memory. */
const KEPT_LENGTH = 300_000;
const parsed = new Map<string, ReactElement>();
let keptLength = 0;
onClearPersonalData(() => {
  parsed.clear();
  keptLength = 0;
});

/** A map keeps insertion order: the least recently used entry is first and goes first. */
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

/** A node of Markdown, before it becomes HTML. */
interface MarkdownNode extends SyntaxNode {
  data?: { hName?: string; hProperties?: Record<string, unknown>; hChildren?: MarkdownNode[] };
  children?: MarkdownNode[];
}

/** Makes elements of tagged marks. In links, code, formulas and addresses they become text again. */
function citationMarkNodes() {
  return (root: MarkdownNode, file: { value: unknown }) => {
    if (typeof file.value === 'string' && hasTags(file.value)) rewrite(root, false);
  };
}

function rewrite(node: MarkdownNode, isInLink: boolean): void {
  if (node.type !== 'text') untag(node);
  const isLink = isInLink || node.type === 'link' || node.type === 'linkReference';
  if (!node.children) return;
  node.children = node.children.flatMap((child) => {
    rewrite(child, isLink);
    return child.type === 'text' ? piecesOf(child, isLink) : [child];
  });
}

/** Code, addresses, titles, descriptions of images, and formulas, whose text is in `hChildren`. */
function untag(node: MarkdownNode): void {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string' && hasTags(value)) Object.assign(node, { [name]: withoutTags(value) });
  }
  node.data?.hChildren?.forEach(untagAll);
}

function untagAll(node: MarkdownNode): void {
  untag(node);
  node.children?.forEach(untagAll);
}

function piecesOf({ value = '' }: MarkdownNode, isLink: boolean): MarkdownNode[] {
  if (isLink) return [{ type: 'text', value: withoutTags(value) }];
  return splitTags(value).map(({ text, index }) => {
    const said = { type: 'text', value: text };
    if (index === null) return said;
    return { type: 'mark', data: { hName: CITATION_ELEMENT, hProperties: { dataMark: index } }, children: [said] };
  });
}
