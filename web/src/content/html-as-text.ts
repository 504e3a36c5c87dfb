import type { SyntaxNode } from './finish-syntax-tree.ts';

/** Shows HTML in a message as text, in its own paragraph if it stands alone; only `<br>` breaks the line. */
export function htmlAsText() {
  return (root: SyntaxNode) => rewrite(root);
}

const HOLDS_BLOCKS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition']);

function rewrite(parent: SyntaxNode): void {
  if (!parent.children) return;
  parent.children = parent.children.map((node) => {
    rewrite(node);
    return node.type === 'html' ? asText(node, HOLDS_BLOCKS.has(parent.type)) : node;
  });
}

function asText({ value = '' }: SyntaxNode, alone: boolean): SyntaxNode {
  const shown = /^<br\s*\/?>$/i.test(value) ? { type: 'break' } : { type: 'text', value };
  return alone ? { type: 'paragraph', children: [shown] } : shown;
}
