// Turns the HTML of an answer back into the Markdown it was made of, from the stream of tags: depth costs nothing.
import { Tokenizer, type Token } from 'parse5';

interface List {
  isOrdered: boolean;
  count: number;
}

const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', s: '~~', del: '~~' };
const PARAGRAPHS = new Set([
  'p',
  'div',
  'section',
  'blockquote',
  'table',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);
const HIDDEN = new Set(['script', 'style', 'title']);

export function markdownOfHtml(html: string): string {
  const writer = createWriter();
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag: (tag) => writer.begin(tag),
      onEndTag: ({ tagName }) => writer.end(tagName),
      onCharacter: ({ chars }) => writer.text(chars),
      onWhitespaceCharacter: ({ chars }) => writer.text(chars),
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
    },
  );
  tokenizer.write(html, true);
  return writer.markdown();
}

function createWriter() {
  let out = '';
  let isCode = false;
  let hidden = 0;
  let cells = 0;
  const lists: List[] = [];
  const links: string[] = [];
  return { begin, end, text, markdown: () => out.replaceAll(/\n{3,}/g, '\n\n').trim() };

  function begin({ tagName: name, attrs }: Token.TagToken): void {
    const attribute = (wanted: string) => attrs.find((one) => one.name === wanted)?.value ?? '';
    if (HIDDEN.has(name)) hidden += 1;
    else if (MARKS[name]) out += isCode ? '' : MARKS[name];
    else if (name === 'br') out += '\n';
    else if (name === 'hr') out += '\n\n---\n\n';
    else if (name === 'pre') {
      isCode = true;
      out += '\n\n```\n';
    } else if (name === 'code') nameCode(attribute('class'));
    else if (name === 'ul' || name === 'ol') lists.push({ isOrdered: name === 'ol', count: 0 });
    else if (name === 'li') beginItem();
    else if (name === 'a') {
      links.push(attribute('href'));
      out += '[';
    } else if (name === 'tr') {
      cells = 0;
      out += '\n|';
    } else if (name === 'td' || name === 'th') {
      cells += 1;
      out += ' ';
    } else if (PARAGRAPHS.has(name)) beginBlock(name);
  }

  /** A block of code says its language in a class, once it has begun. */
  function nameCode(classes: string): void {
    if (!isCode) out += '`';
    else if (out.endsWith('```\n')) out = `${out.slice(0, -1)}${/language-([\w+#-]+)/.exec(classes)?.[1] ?? ''}\n`;
  }

  function beginItem(): void {
    const list = lists.at(-1);
    if (list) list.count += 1;
    const mark = list?.isOrdered ? `${list.count}.` : '-';
    out += `\n${'  '.repeat(Math.max(0, lists.length - 1))}${mark} `;
  }

  function beginBlock(name: string): void {
    // A paragraph of an item stands on its line.
    if (!/^ *(?:-|\d{1,9}\.) $/.test(out.slice(out.lastIndexOf('\n') + 1))) out += '\n\n';
    if (/^h[1-6]$/.test(name)) out += `${'#'.repeat(Number(name[1]))} `;
    if (name === 'blockquote') out += '> ';
  }

  function end(name: string): void {
    if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1);
    else if (MARKS[name]) out += isCode ? '' : MARKS[name];
    else if (name === 'pre') {
      isCode = false;
      out += `${out.endsWith('\n') ? '' : '\n'}\`\`\`\n\n`;
    } else if (name === 'code') out += isCode ? '' : '`';
    else if (name === 'ul' || name === 'ol') {
      lists.pop();
      if (lists.length === 0) out += '\n\n';
    } else if (name === 'a') {
      const href = links.pop() ?? '';
      out += /^https?:/i.test(href) ? `](${href.replaceAll(/\s/g, '%20').replaceAll(')', '%29')})` : ']';
    } else if (name === 'td' || name === 'th') out += ' |';
    else if (name === 'thead') out += `\n|${' --- |'.repeat(cells)}`;
    else if (PARAGRAPHS.has(name)) out += '\n\n';
  }

  function text(chars: string): void {
    if (hidden > 0) return;
    out += isCode ? chars : chars.replaceAll(/\s+/g, ' ');
  }
}
