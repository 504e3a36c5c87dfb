// @vitest-environment happy-dom
import type { Citation } from '@parley/schema/messages/messages';
import { MantineProvider } from '@mantine/core';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TextPart } from '../../../../web/src/chat/message/text-part.tsx';
import { preloadMarkdown } from '../../../../web/src/content/lazy-markdown.tsx';
import {
  splitTags,
  tagCitationMarks,
  withoutTags,
} from '../../../../web/src/content/citation-marks/tag-citation-marks.ts';
import { findQuote } from '../../../../web/src/files/citations/find-quote.ts';
import { listSources } from '../../../../web/src/files/citations/list-sources.ts';
import { startEnglish } from '../start-english.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
beforeAll(preloadMarkdown);
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...said) => expect.fail(said.join(' ')));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('the marks of an answer', () => {
  it('become buttons that name their file and page, and keep their text', () => {
    const page = show('Water boils [1] at 100 degrees.[2]', [1, 2]);
    expect(chips(page)).toEqual(['Source 1: a.pdf, Page 1', 'Source 2: a.pdf, Page 2']);
    expect(page.textContent).toBe('Water boils [1] at 100 degrees.[2]');
  });

  it('stay text without a citation, and while the answer streams', () => {
    const page = show('One [1], two [2], three [1].', [1]);
    expect(chips(page)).toHaveLength(1);
    expect(page.textContent).toBe('One [1], two [2], three [1].');
    cleanup();
    const streaming = show('One [1]', [1], true);
    expect(chips(streaming)).toEqual([]);
    expect(streaming.textContent).toBe('One [1]');
  });

  it('are found behind surrogate pairs, line ends of Windows and beside each other', () => {
    const page = show('\u{1F600}\u{1F600}\r\n\r\nsmile[1][2]\r\n\r\n\u{1F600}[3]', [1, 2, 3]);
    expect(chips(page)).toHaveLength(3);
    expect(page.textContent).not.toMatch(/[\uE000-\uF8FF]/);
  });

  it('do not divide emphasis, lists, headings and tables', () => {
    const text = '# Title [1]\n\n- **bold.**[2] and *more [3]*\n- x\n\n| a [4] |\n| - |\n| b[5] |\n\n> quote [6]';
    const page = show(text, [1, 2, 3, 4, 5, 6]);
    const parents = [...page.querySelectorAll('[data-testid=citation]')].map((chip) => {
      const parent = chip.parentElement?.parentElement;
      return parent?.tagName;
    });
    expect(parents).toEqual(['H1', 'LI', 'EM', 'TH', 'TD', 'P']);
    expect(page.querySelector('strong')?.textContent).toBe('bold.');
  });

  it('stay as they are in code and formulas', () => {
    const text =
      '`a[1]`\n\n```js\nb[2]\n```\n\n~~~\nc[3]\n~~~\n\n    d[4]\n\n- e\n\n  ```\n  f[5]\n  ```\n\n$g[6]$ [7]';
    const page = show(text, [1, 2, 3, 4, 5, 6, 7]);
    expect(chips(page)).toEqual(['Source 7: a.pdf, Page 7']);
    const code = [...page.querySelectorAll('code')].map((one) => one.textContent.trim());
    expect(code).toEqual(['a[1]', 'b[2]', 'c[3]', 'd[4]', 'f[5]']);
    expect(page.innerHTML).not.toMatch(/[\uE002\uE003]|%EE%80/);
  });

  it('stay as they are in links and addresses, which hold no buttons', () => {
    const text = '[see [1]](https://example.com/[2]) https://example.org/a[3] ![x [4]](/images/a.png "[5]") [6]';
    const page = show(text, [1, 2, 3, 4, 5, 6]);
    expect(chips(page)).toEqual(['Source 6: a.pdf, Page 6']);
    expect(page.querySelector('a')?.textContent).toBe('see [1]');
    expect(page.innerHTML).not.toMatch(/[\uE002\uE003]|%EE%80/);
  });

  it('stand in a paragraph that is written from right to left', () => {
    const page = show('الماء يغلي [1] عند مئة.', [1]);
    expect(page.querySelector('p')?.dir).toBe('auto');
    expect(chips(page)).toHaveLength(1);
    expect(page.textContent).toBe('الماء يغلي [1] عند مئة.');
  });

  it('are shown as text in a block that is too long to parse', () => {
    const page = show(`${'*word* '.repeat(10_000)}[1]`, [1]);
    expect(page.textContent).toMatch(/ \[1\]$/);
  });

  it('all become buttons in a long answer', async () => {
    const numbers = Array.from({ length: 99 }, (_, index) => index + 1);
    const page = show(numbers.map((number) => `Paragraph [${number}]`).join('\n\n'), numbers);
    expect(page.textContent).not.toMatch(/[\uE002\uE003]/);
    await waitFor(() => expect(chips(page)).toHaveLength(99));
  });
});

describe('tags', () => {
  it('are removed without a trace', () => {
    const text = '[1] \u{1F600}[2][12] [x]';
    expect(withoutTags(tagCitationMarks(text, [0, 6, 9]))).toBe(text);
  });

  it('are only where a mark begins, once', () => {
    expect(tagCitationMarks('a [1] b', [0, 2, 2, 3, 99])).toBe(tagCitationMarks('a [1] b', [2]).replace('0', '1'));
    expect(tagCitationMarks('no mark', [0, 3])).toBe('no mark');
  });

  it('leave a text alone that has such characters itself', () => {
    const text = '\uE0020\uE003 [1]';
    expect(tagCitationMarks(text, [4])).toBe(text);
  });

  it('split a text', () => {
    expect(splitTags(tagCitationMarks('a[1] b [2]', [1, 7]))).toEqual([
      { text: 'a', index: null },
      { text: '[1]', index: 0 },
      { text: ' b ', index: null },
      { text: '[2]', index: 1 },
    ]);
  });
});

describe('the sources of an answer', () => {
  it('are its files in the order of their marks, with rising pages', () => {
    const text = 'a [2] b [1] c [2] d [3]';
    const citations = [
      { ...cite(2, 2), page: 9 },
      { ...cite(8, 1), page: 7 },
      { ...cite(14, 2), page: 9 },
      { ...cite(20, 3), fileId: 'other', name: 'b.txt', page: null },
    ];
    const sources = listSources({ parts: [{ type: 'text', text, citations }] });
    expect(sources.map(({ name, pages, passages }) => [name, pages, passages.map(({ mark }) => mark)])).toEqual([
      ['a.pdf', [7, 9], ['[2]', '[1]']],
      ['b.txt', [], ['[3]']],
    ]);
  });

  it('leave out what no mark stands for', () => {
    expect(listSources({ parts: [{ type: 'text', text: 'edited', citations: [cite(0, 1)] }] })).toEqual([]);
  });
});

it('a quote is found in its passage, also when it is cut off', () => {
  expect(findQuote('One. Two three. Four.', 'Two three.')).toEqual({ from: 5, to: 15 });
  expect(findQuote('One. Two three. Four.', 'Two th…')).toEqual({ from: 5, to: 11 });
  expect(findQuote('One.', 'Two')).toBeNull();
  expect(findQuote('One.', '')).toBeNull();
});

/** Renders a text; the first mark `[n]` of each number is cited. */
function show(text: string, numbers: number[], isOpen = false): HTMLElement {
  const citations = numbers.map((number) => cite(text.indexOf(`[${number}]`), number));
  const part = { type: 'text' as const, text, citations };
  const { getByRole } = render(
    <MantineProvider>
      <main>
        <TextPart part={part} isOpen={isOpen} />
      </main>
    </MantineProvider>,
  );
  return getByRole('main');
}

function cite(at: number, n: number): Citation {
  return { at, fileId: 'file', name: 'a.pdf', page: n, n, quote: 'A quote.' };
}

function chips(page: HTMLElement): (string | null)[] {
  return [...page.querySelectorAll('[data-testid=citation]')].map((chip) => chip.getAttribute('aria-label'));
}
