// The rendered text of a reply as plain HTML for other programs: no classes, no controls, no foreign addresses.

/** Elements that other programs understand; of any other, the content alone is kept. */
const KEPT = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del a table thead tbody tr th td br hr sup sub'.split(
    ' ',
  ),
);
const EMPTY = new Set(['br', 'hr']);
const DROPPED = 'button, svg, style, script, iframe, [data-control], [aria-hidden="true"]';
const ADDRESS = /^(?:https?:\/\/|mailto:)/i;

/** The rendered Markdown inside an element as HTML; empty if there is none. */
export function richHtml(within: ParentNode): string {
  return [...within.querySelectorAll('[data-markdown]')].map(contentOf).join('');
}

function contentOf(element: Element): string {
  return [...element.childNodes].map(htmlOf).join('');
}

function htmlOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.textContent ?? '');
  if (!(node instanceof Element)) return '';
  const formula = node.matches('.katex') && node.querySelector('annotation')?.textContent;
  if (formula) return `<code>${escaped(formula)}</code>`;
  if (node.matches(DROPPED)) return '';
  if (node instanceof HTMLInputElement) return node.checked ? '☑ ' : '☐ ';
  const tag = node.tagName.toLowerCase();
  if (tag === 'img') return escaped(node.getAttribute('alt') ?? '');
  if (node.matches('[data-source]')) return paragraphsOf(node.textContent ?? '');
  if (!KEPT.has(tag)) return contentOf(node);
  return EMPTY.has(tag) ? `<${tag}>` : `<${tag}${attributesOf(node, tag)}>${contentOf(node)}</${tag}>`;
}

function attributesOf(element: Element, tag: string): string {
  const href = tag === 'a' ? element.getAttribute('href') : null;
  if (href !== null && ADDRESS.test(href)) return ` href="${escaped(href)}"`;
  const start = tag === 'ol' ? Number(element.getAttribute('start') ?? 1) : 1;
  return start === 1 ? '' : ` start="${start}"`;
}

/** Markdown that is not drawn yet. */
function paragraphsOf(source: string): string {
  const paragraphs = source.split(/\n{2,}/).filter((one) => one.trim() !== '');
  return paragraphs.map((one) => `<p>${escaped(one).replaceAll('\n', '<br>')}</p>`).join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
