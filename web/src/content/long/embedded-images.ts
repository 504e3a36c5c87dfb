// Pictures that an answer holds in itself are long addresses. The parser reads a short one in the place of each.
import type { SyntaxNode } from '../finish-syntax-tree.ts';

const ADDRESS = /(data:image\/[a-z+.-]+;base64,)([A-Za-z0-9+/=]{200,})/g;
/** No data in base64 has a dot. */
const SHORT = /(data:image\/[a-z+.-]+;base64,)\.(\d+)\./g;

export interface Shortened {
  text: string;
  restore: (text: string) => string;
}

export function shortenImages(text: string): Shortened {
  if (!text.includes(';base64,')) return { text, restore: (same) => same };
  const data: string[] = [];
  const short = text.replace(ADDRESS, (_whole, head: string, body: string) => `${head}.${data.push(body) - 1}.`);
  const restore = (shown: string) =>
    shown.replace(SHORT, (whole, head: string, index: string) => {
      const body = data[Number(index)];
      return body === undefined ? whole : head + body;
    });
  return { text: short, restore };
}

/** Puts the addresses back into a tree. */
export function restoreImages({ restore }: Pick<Shortened, 'restore'>) {
  return (root: SyntaxNode) => visit(root, restore);
}

function visit(node: SyntaxNode, restore: Shortened['restore']): void {
  if (node.value?.includes(';base64,')) node.value = restore(node.value);
  for (const [name, value] of Object.entries(node.properties ?? {}))
    if (typeof value === 'string' && value.includes(';base64,'))
      node.properties = { ...node.properties, [name]: restore(value) };
  node.children?.forEach((child) => visit(child, restore));
}
