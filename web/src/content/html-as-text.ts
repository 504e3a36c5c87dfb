import type { TreeNode } from './finish-tree.ts';

/** HTML in a message is shown as the text it is, in a paragraph where it stands alone; only `<br>` breaks the line. */
export function htmlAsText() {
  return (root: TreeNode) => rewrite(root);
}

const HOLDS_BLOCKS = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition']);

function rewrite(parent: TreeNode): void {
  if (!parent.children) return;
  parent.children = parent.children.map((node) => {
    rewrite(node);
    return node.type === 'html' ? asText(node, HOLDS_BLOCKS.has(parent.type)) : node;
  });
}

function asText({ value = '' }: TreeNode, alone: boolean): TreeNode {
  const shown = /^<br\s*\/?>$/i.test(value) ? { type: 'break' } : { type: 'text', value };
  return alone ? { type: 'paragraph', children: [shown] } : shown;
}
