import type { SyntaxNode } from '../finish-syntax-tree.ts';
import { hasTags, splitTags, withoutTags } from './tag-citation-marks.ts';

/** The element of a mark; its property `data-mark` is the index. */
const CITATION_ELEMENT = 'cite';

/** A node of Markdown, before it becomes HTML. */
interface MarkdownNode extends SyntaxNode {
  data?: { hName?: string; hProperties?: Record<string, unknown>; hChildren?: MarkdownNode[] };
  children?: MarkdownNode[];
}

/** Makes elements of tagged marks. In links, code, formulas and addresses they become text again. */
export function citationMarkNodes() {
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
