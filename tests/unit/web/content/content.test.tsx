// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LazyMarkdown } from '../../../../web/src/content/lazy-markdown.tsx';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { startEnglish } from '../start-english.ts';
import { writeSetting } from '../../../../web/src/stored-settings.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...said) => expect.fail(said.join(' ')));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the text of a message', () => {
  it('shows the characters of a link in order, despite bidirectional controls', () => {
    const page = show(
      '[safe\u202Emoc.live//:sptth\u202C](https://evil.example) ![\u2067alt](https://evil.example/a.png)',
    );
    expect([...page.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['safemoc.live//:sptth', 'alt']);
  });

  it('wraps a word without end', () => {
    const word = 'ab\u{1F600}'.repeat(250_000);
    const page = show(`Before ${word} after`);
    expect(longestTextIn(page)).toBeLessThanOrEqual(5_001);
    expect(page.textContent).toBe(`Before ${word} after`);
  });

  it('renders tables, task lists, struck text and links', () => {
    const page = show('| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n~~old~~ about ~5~ www.example.com');
    expect(page.querySelectorAll('[role=group] > table td')).toHaveLength(2);
    expect([...page.querySelectorAll('input')].map((box) => [box.checked, box.getAttribute('aria-label')])).toEqual([
      [true, 'Done'],
      [false, 'Not done'],
    ]);
    expect([...page.querySelectorAll('del')].map((del) => del.textContent)).toEqual(['old']);
    expect(page.querySelector('a')?.href).toBe('http://www.example.com/');
  });

  it('opens links in a new tab without a referrer', () => {
    const link = show('[there](https://example.com) [mail](mailto:a@example.com)').querySelector('a');
    expect(link?.target).toBe('_blank');
    expect(link?.rel).toBe('noopener noreferrer nofollow');
  });

  it('makes no link of other kinds of addresses', () => {
    const page = show(
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](/c/new) [d](#top) [e](vbscript:x) <ftp://x.y>',
    );
    expect(page.querySelector('a')).toBeNull();
    expect(page.textContent).toBe('a b c d e ftp://x.y');
  });

  it('shows images of this server and names those elsewhere', () => {
    const page = show('![mine](/images/alice/1.png) ![a cat](https://example.com/cat.png) ![up](/images/../api)');
    expect([...page.querySelectorAll('img')].map((img) => img.getAttribute('src'))).toEqual(['/images/alice/1.png']);
    expect(page.querySelector('img')?.getAttribute('loading')).toBe('lazy');
    expect(page.querySelector('a')?.textContent).toBe('a cat');
    expect(page.textContent).toContain('up');
  });

  it('shows HTML as text', () => {
    const page = show('<script>alert(1)</script>\n\na <b onclick="x()">bold</b> one<br>two');
    expect(page.querySelector('script, b')).toBeNull();
    expect(page.textContent).toContain('<script>alert(1)</script>');
    expect(page.textContent).toContain('a <b onclick="x()">bold</b> one');
    expect(page.querySelector('br')).not.toBeNull();
  });

  it('gives each paragraph its own direction, and code none', () => {
    const page = show('مرحبا `x`\n\n- a\n\n> b\n\n```\nc\n```');
    const directed = [...page.querySelectorAll('[dir]')].map((node) => `${node.tagName} ${node.getAttribute('dir')}`);
    expect(directed).toEqual(['P auto', 'CODE ltr', 'LI auto', 'BLOCKQUOTE auto', 'PRE ltr']);
  });

  it('gives a table the direction of its columns', () => {
    const page = show('| المدينة | الحرارة |\n|---|---|\n| القاهرة | 30 |');
    const directed = [...page.querySelectorAll('[dir]')].map((node) => `${node.tagName} ${node.getAttribute('dir')}`);
    expect(directed).toEqual(['DIV auto']);
    expect(page.querySelector('[dir]')?.firstElementChild?.tagName).toBe('TABLE');
  });

  it('resolves reference links and footnotes once it is complete', () => {
    const page = show('see [the page][1] and a note[^1]\n\nmore\n\n[1]: https://example.com\n\n[^1]: the note');
    expect(page.querySelector('a')?.href).toBe('https://example.com/');
    expect(page.querySelectorAll('a')).toHaveLength(1);
    expect(page.querySelector('section[data-footnotes]')?.textContent?.trim()).toBe('the note');
  });

  it('handles text too deep or too long to parse', () => {
    expect(show('> '.repeat(5_000)).textContent).toContain('> >');
    cleanup();
    expect(show('x'.repeat(30_000)).textContent).toContain('x'.repeat(5_000));
  });

  it('renders all of a long answer in the end', async () => {
    const page = show(Array.from({ length: 200 }, (_, index) => `**Paragraph ${index}**\n\n`).join(''));
    expect(page.querySelectorAll('strong').length).toBeLessThan(200);
    await waitFor(() => expect(page.querySelectorAll('strong')).toHaveLength(200));
  });
});

describe('a code block', () => {
  const text = '```ts\nconst a = 1;\n```\n';

  it('names its language and highlights it', () => {
    const page = show(text);
    expect(page.querySelector('.hljs-keyword')?.textContent).toBe('const');
    expect(page.textContent).toContain('ts');
  });

  it('is plain when the language is unknown or missing', () => {
    const page = show('```nonsense\nconst a\n```\n\n```\nconst b\n```\n');
    expect(page.querySelector('[class^=hljs]')).toBeNull();
    expect(page.querySelectorAll('pre')).toHaveLength(2);
  });

  it('wraps its lines on request', () => {
    const page = show(text);
    const wrap = button(page, 'Wrap');
    fireEvent.click(wrap);
    expect(wrap.getAttribute('aria-pressed')).toBe('true');
    expect(page.querySelector('pre')?.hasAttribute('data-wrapped')).toBe(true);
  });

  it('is copied, and says so for three seconds', async () => {
    vi.useFakeTimers();
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const page = show(text);
    await act(async () => fireEvent.click(button(page, 'Copy')));
    expect(written).toHaveBeenCalledWith('const a = 1;');
    await act(async () => vi.advanceTimersByTime(2_900));
    expect(page.textContent).toContain('Copied');
    await act(async () => vi.advanceTimersByTime(200));
    expect(page.textContent).not.toContain('Copied');
  });

  it('has the same frame inside a list', () => {
    const page = show('1. one\n\n   ```py\n   x = 1\n   ```\n');
    expect(page.querySelector('li pre')?.textContent).toBe('x = 1');
    expect(button(page, 'Copy')).toBeDefined();
  });
});

describe('formulas', () => {
  it('stand as they were written where they are not wanted', () => {
    writeSetting('LaTeXParsing', false);
    onTestFinished(() => writeSetting('LaTeXParsing', true));
    const written = 'So \\(a\\), $b$, \\[c\\] and $$d$$.';
    expect(show(written).textContent).toBe(written);
  });

  it('are typeset once the typesetter is loaded', async () => {
    const page = show('It is $5 and $10, but $x^2$ and\n\n$$\ny\n\n= z\n$$\n');
    expect(page.textContent).toContain('It is $5 and $10, but x^2 and');
    await waitFor(() => expect(page.querySelectorAll('.katex')).toHaveLength(2));
    expect(page.querySelectorAll('.katex-display')).toHaveLength(1);
    expect(page.textContent).toContain('It is $5 and $10');
  });

  it('stay text inside code', () => {
    const page = show('`$x$`\n\n```latex\n$$ \\frac{1}{2} $$\n```');
    expect(page.textContent).toContain('$x$');
    expect(page.querySelector('pre')?.textContent).toBe('$$ \\frac{1}{2} $$');
  });

  it('load nothing and link nowhere', async () => {
    const page = show('$\\href{javascript:alert(1)}{a}$ $\\includegraphics{https://example.com/x.png}$');
    await waitFor(() => expect(page.querySelectorAll('.katex')).toHaveLength(2));
    expect(page.querySelector('a, img')).toBeNull();
  });

  it('show their source while they grow until they can be typeset, and then the last that could be', async () => {
    const { typeset } = await import('../../../../web/src/content/math/typeset.ts');
    const formula = '\\begin{aligned} a &= b \\end{aligned}';
    const place = document.createElement('span');
    for (const end of [6, 15, 24]) {
      typeset(place, formula.slice(0, end), true, true);
      expect(place.textContent).toBe(formula.slice(0, end));
    }
    typeset(place, formula, true, true);
    const drawn = place.querySelector('.katex-display');
    expect(drawn).not.toBeNull();
    typeset(place, `${formula} \\frac{`, true, true);
    expect(place.querySelector('.katex-display')).toBe(drawn);
  });

  it('show their source when they are invalid', async () => {
    const page = show('before $\\frac{1$ after');
    await waitFor(() => expect(page.textContent).toBe('before \\frac{1 after'));
    expect(page.querySelector('[style]')).toBeNull();
  });
});

describe('an answer that is being written', () => {
  it('has headings of levels without gaps, and looks for them only where it grows', () => {
    const long = '## Part\n\nwords\n\n#### Detail\n\nwords\n\n'.repeat(100);
    const view = render(framed('', true));
    view.rerender(framed(long, true));
    const levels = () => [...view.container.querySelectorAll('h2, h4')].map((one) => one.getAttribute('aria-level'));
    expect(levels()).toEqual(Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? '2' : '3')));
    const search = vi.spyOn(Element.prototype, 'querySelectorAll');
    view.rerender(framed(`${long}#### Last\n\nwords`, true));
    const seen = search.mock.contexts.map((within) => (within as Element).textContent.length);
    search.mockRestore();
    expect(seen.length).toBeGreaterThan(0);
    expect(Math.max(...seen)).toBeLessThan(100);
    expect(levels().slice(-2)).toEqual(['3', '3']);
  });

  it('has the cursor at the end of its text', () => {
    expect(show('', true).querySelectorAll('.cursor')).toHaveLength(1);
    for (const [text, parent] of Object.entries({
      'one\n\ntwo': 'P',
      '- a\n- b': 'LI',
      '| a |\n| - |\n| b |': 'TD',
      '```js\nx': 'CODE',
      '1. a\n\n   ```js\n   x': 'CODE',
      'a **b': 'P',
    })) {
      cleanup();
      const cursors = show(text, true).querySelectorAll('.cursor');
      expect([text, cursors.length, cursors[0]?.parentElement?.tagName]).toEqual([text, 1, parent]);
    }
    cleanup();
    expect(show('one', false).querySelector('.cursor')).toBeNull();
  });

  it('closes unfinished marks', () => {
    const page = show('costs $5 and **bold', true);
    expect(page.querySelector('strong')?.textContent).toBe('bold');
    cleanup();
    const link = show('see [the page](https://exam', true);
    expect(link.querySelector('a')).toBeNull();
    expect(link.textContent).toBe('see the page');
  });

  it('does not render finished blocks again, as it grows and when it ends', () => {
    const view = render(framed('# Title\n\nfirst\n\nsecond', true));
    const [title, first] = [view.container.querySelector('h1'), view.container.querySelector('p')];
    const text = first?.firstChild;
    view.rerender(framed('# Title\n\nfirst\n\nsecond\n\n- third', true));
    view.rerender(framed('# Title\n\nfirst\n\nsecond\n\n- third', false));
    expect(view.container.querySelector('h1')).toBe(title);
    expect(view.container.querySelector('p')).toBe(first);
    expect(view.container.querySelector('p')?.firstChild).toBe(text);
  });

  it('highlights a long open code block only when it ends', () => {
    const code = 'const a = 1;\n'.repeat(400);
    const view = render(framed(`\`\`\`ts\n${code}`, true));
    expect(view.container.querySelector('[class^=hljs]')).toBeNull();
    view.rerender(framed(`\`\`\`ts\n${code}\`\`\`\n`, false));
    expect(view.container.querySelectorAll('.hljs-keyword')).toHaveLength(400);
  });

  it('shows all of a long block after a moment', async () => {
    const item = '- an item of some length\n';
    const view = render(framed(item.repeat(150), true));
    view.rerender(framed(item.repeat(151), true));
    await waitFor(() => expect(view.container.querySelectorAll('li')).toHaveLength(151));
  });
});

it('text is plain until the renderer is loaded', async () => {
  const { container } = render(
    <MantineProvider>
      <LazyMarkdown text={'**a**\n b'} streaming />
    </MantineProvider>,
  );
  expect(container.querySelector('[dir=auto]')?.textContent).toBe('**a**\n b');
  expect(container.querySelectorAll('.cursor')).toHaveLength(1);
  await waitFor(() => expect(container.querySelector('strong')?.textContent).toBe('a'));
});

function framed(text: string, streaming: boolean) {
  return (
    <MantineProvider>
      <Markdown text={text} streaming={streaming} />
    </MantineProvider>
  );
}

/** The element the message is in. */
function show(text: string, streaming = false): Element {
  const { container } = render(framed(text, streaming));
  const [message] = [...container.children].filter((node) => node.tagName === 'DIV');
  if (!message) throw new Error('nothing was drawn');
  return message;
}

function button(page: Element, label: string): HTMLElement {
  const found = [...page.querySelectorAll('button')].find((node) => node.textContent === label);
  if (!found) throw new Error(`no button ${label}`);
  return found;
}

function longestTextIn(page: Element): number {
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  let longest = 0;
  while (texts.nextNode()) longest = Math.max(longest, texts.currentNode.textContent?.length ?? 0);
  return longest;
}
