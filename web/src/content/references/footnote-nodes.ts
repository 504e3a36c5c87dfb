import type { SyntaxNode } from '../finish-syntax-tree.ts';

/** A node of Markdown, before it becomes HTML. */
interface MarkdownNode extends SyntaxNode {
  identifier?: string;
  data?: { hName?: string; hChildren?: MarkdownNode[] };
  children?: MarkdownNode[];
}

/**
 * Writes the numbers of footnotes. Each number is the text of a definition before the text of the block; a note that
 * stands within a list or a quote is shown there.
 */
export function footnoteNodes() {
  return (root: MarkdownNode) => {
    const numbers = new Map<string, string>();
    root.children = (root.children ?? []).filter((node) => {
      if (node.type !== 'footnoteDefinition') return true;
      const id = node.identifier ?? '';
      if (numbers.has(id)) return true;
      numbers.set(id, textOf(node));
      return false;
    });
    if (numbers.size > 0) rewrite(root, numbers);
  };
}

function rewrite(parent: MarkdownNode, numbers: ReadonlyMap<string, string>): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    const number = numbers.get(node.identifier ?? '');
    if (number === undefined) {
      rewrite(node, numbers);
      return [node];
    }
    if (node.type === 'footnoteReference') return [mark(number)];
    if (node.type !== 'footnoteDefinition') return [node];
    rewrite(node, numbers);
    const [first] = node.children ?? [];
    if (first?.type === 'paragraph')
      first.children = [mark(number), { type: 'text', value: ' ' }, ...(first.children ?? [])];
    return node.children ?? [];
  });
}

function mark(number: string): MarkdownNode {
  return { type: 'footnoteMark', data: { hName: 'sup' }, children: [{ type: 'text', value: number }] };
}

function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}
