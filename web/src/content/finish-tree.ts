import { CURSOR_CLASS } from './cursor.tsx';

/** As much of a syntax tree's node as the passes over it touch. */
export interface TreeNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

/** The last pass over a block: every paragraph finds its own direction, footnotes lose their in-page links. */
export function finishTree() {
  return (root: TreeNode) => finish(root);
}

/** The same for the block that is being written, with the cursor where its text ends. */
export function finishOpenTree() {
  return (root: TreeNode) => {
    finish(root);
    placeCursor(root);
  };
}

const DIRECTED = new Set(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote']);

function finish(parent: TreeNode): void {
  if (!parent.children) return;
  parent.children = parent.children.filter((node) => !isFootnoteAid(node));
  for (const node of parent.children) {
    if (isDirected(node, parent)) node.properties = { ...node.properties, dir: 'auto' };
    finish(node);
  }
}

/** An item or quote looks for its direction only in text outside elements with one, so paragraphs inside have none. */
function isDirected(node: TreeNode, parent: TreeNode): boolean {
  if (node.tagName === 'p' && (parent.tagName === 'li' || parent.tagName === 'blockquote')) return false;
  return DIRECTED.has(node.tagName ?? '');
}

/** Links within the page would meet the footnotes of other messages, and the hidden heading has no translation. */
function isFootnoteAid({ properties }: TreeNode): boolean {
  return properties?.dataFootnoteBackref !== undefined || properties?.id === 'footnote-label';
}

const HOLDS_TEXT = new Set([...DIRECTED, 'ul', 'ol', 'table', 'thead', 'tbody', 'tr', 'td', 'th', 'section']);

function placeCursor(node: TreeNode): void {
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
