import { CURSOR_CLASS } from './cursor.tsx';

/** The part of a syntax tree node that these passes use. */
export interface SyntaxNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: SyntaxNode[];
}

/**
 * The last pass over a block: every paragraph detects its own direction, links lose bidi controls, footnotes lose
 * their in-page links.
 */
export function finishTree() {
  return (root: SyntaxNode) => finish(root);
}

/** The same for the streaming block, with the cursor at the end of its text. */
export function finishOpenTree() {
  return (root: SyntaxNode) => {
    finish(root);
    placeCursor(root);
  };
}

const DIRECTED = new Set(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'summary']);

function finish(parent: SyntaxNode): void {
  if (!parent.children) return;
  parent.children = parent.children.filter((node) => !isFootnoteAid(node));
  for (const node of parent.children) {
    if (isDirected(node, parent)) node.properties = { ...node.properties, dir: 'auto' };
    if (node.tagName === 'a' || node.tagName === 'img') dropReordering(node);
    finish(node);
  }
}

/** Bidi embeddings, overrides and isolates: they can make an address read as another one. */
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/g;

function dropReordering(node: SyntaxNode): void {
  if (node.type === 'text' && node.value !== undefined) node.value = node.value.replace(REORDERING, '');
  const { alt } = node.properties ?? {};
  if (node.properties && typeof alt === 'string') node.properties.alt = alt.replace(REORDERING, '');
  node.children?.forEach(dropReordering);
}

/** An item or quote detects its direction from text outside elements with `dir`, so inner paragraphs have none. */
function isDirected(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (node.tagName === 'p' && (parent.tagName === 'li' || parent.tagName === 'blockquote')) return false;
  return DIRECTED.has(node.tagName ?? '');
}

/** In-page links would hit the footnotes of other messages, and the hidden heading has no translation. */
function isFootnoteAid({ properties }: SyntaxNode): boolean {
  return properties?.dataFootnoteBackref !== undefined || properties?.id === 'footnote-label';
}

const HOLDS_TEXT = new Set([...DIRECTED, 'ul', 'ol', 'table', 'thead', 'tbody', 'tr', 'td', 'th', 'section']);

function placeCursor(node: SyntaxNode): void {
  const children = (node.children ??= []);
  const last = children.findLast((child) => child.type !== 'text' || child.value?.trim());
  if (last?.tagName === 'pre') last.properties = { ...last.properties, dataCursor: 'true' };
  else if (last && HOLDS_TEXT.has(last.tagName ?? '')) placeCursor(last);
  else
    children.push({
      type: 'element',
      tagName: 'span',
      properties: { className: CURSOR_CLASS, ariaHidden: 'true' },
      children: [],
    });
}
