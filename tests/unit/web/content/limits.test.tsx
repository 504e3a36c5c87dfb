// @vitest-environment happy-dom
// Every limit of the renderer with every kind of block: above it, and in the full run also at it and one character below.
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LONGEST_HIGHLIGHTED } from '../../../../web/src/content/code/highlight.tsx';
import { LONG_BLOCK } from '../../../../web/src/content/long/cut-block.ts';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { LONGEST_PARSED } from '../../../../web/src/content/parse.ts';
import { someOf } from '../../../support/extent.ts';
import { startEnglish } from '../start-english.ts';

vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
afterEach(cleanup);

/** One block each; `count` finds in the drawn report as many elements as the text has parts. */
interface Kind {
  lead?: string;
  part: (index: number) => string;
  end?: string;
  count: string;
}

const KINDS: Record<string, Kind> = {
  headings: { part: (n) => `## Heading ${n} of *many*\n\n`, count: 'h2 em' },
  paragraphs: { part: (n) => `Paragraph ${n} with **bold** words.\n\n`, count: 'p strong' },
  'lines of one paragraph': { part: (n) => `Line ${n} with **bold** words.\n`, count: 'p strong' },
  'a bullet list': { part: (n) => `- Item ${n} is **bold**\n`, count: 'ul > li strong' },
  'a numbered list': { part: (n) => `${n + 1}. Item ${n} is **bold**\n`, count: 'ol:only-of-type > li strong' },
  'a list with lists in it': { part: (n) => `- Item ${n} is **bold**\n  - inner\n`, count: 'ul > li > strong' },
  'one item with much in it': {
    lead: '- An item\n\n',
    part: (n) => `  Paragraph ${n} is **bold**.\n\n`,
    count: 'ul > li p strong',
  },
  'a task list': { part: (n) => `- [x] Task ${n} is **bold**\n`, count: 'li strong' },
  'a table': {
    lead: '| a | b |\n| - | -: |\n',
    part: (n) => `| cell ${n} | **bold** |\n`,
    count: 'table:only-of-type tbody tr strong',
  },
  'a quote': { part: (n) => `> Line ${n} is **bold**.\n>\n`, count: 'blockquote p strong' },
  'a block of code': { lead: '```ts\n', part: (n) => `const a${n} = 1;\n`, end: '```\n', count: '' },
  'code in a list': { lead: '- an item\n\n  ```ts\n', part: (n) => `  const a${n} = 1;\n`, end: '  ```\n', count: '' },
  formulas: { part: (n) => `$$x_{${n}} = y$$\n\n`, count: '[class*=displayed]' },
  'formulas in one paragraph': { part: (n) => `Where $x_{${n}}$ is **bold**.\n`, count: 'p strong' },
  links: {
    part: (n) => `[link ${n}](https://example.com/${n}) and more\n`,
    count: 'a[href*="example.com/"]:not([href$="page"])',
  },
  'reference links': { part: (n) => `A **bold** [part ${n}][page].\n\n`, count: 'p strong' },
  footnotes: { part: (n) => `[^n${n}]: Note ${n} is **bold**.\n\n`, count: 'section[data-footnotes] li strong' },
  details: { part: (n) => `<details><summary>${n}</summary>\n\nA **bold** word\n\n</details>\n\n`, count: 'p strong' },
  'a picture': { part: () => '', count: 'img' },
};

/** As many parts as fit, then letters of a last paragraph or line up to the size. */
function blockOf({ lead = '', part, end = '' }: Kind, size: number): { text: string; parts: number } {
  let text = lead;
  let parts = 0;
  for (let next = part(0); text.length + next.length + end.length <= size && next !== ''; next = part(parts)) {
    text += next;
    parts += 1;
  }
  return { text: text + end, parts };
}

function exact(kind: Kind, size: number): { text: string; parts: number } {
  if (kind.count === 'img') return { text: `![shown](data:image/png;base64,${'A'.repeat(size - 34)})`, parts: 1 };
  const { text, parts } = blockOf(kind, size);
  const missing = size - text.length;
  if (missing === 0) return { text, parts };
  // The first word takes what is missing.
  return {
    text: text.replace(/\w+/, (word) =>
      /^(?:ts|\d+|n\d+|details|link|a)$/.test(word) ? word : word + 'x'.repeat(missing),
    ),
    parts,
  };
}

const AFTER =
  '\n\n## After\n\nSee [the page][page] and a note[^1].\n\n```ini\n[section]: x\n```\n\n[page]: https://example.com/page\n\n[^1]: The note.\n';

describe.each(Object.entries(KINDS))('a report with %s', (_name, kind) => {
  it.each(someOf([LONG_BLOCK + 1, LONG_BLOCK, LONG_BLOCK - 1]))(
    'of %i characters, a reference and a footnote is formatted',
    async (size) => {
      const { text, parts } = exact(kind, size);
      expectFormatted(await shown([`# Report\n\n${text}${AFTER}`]), kind, parts);
    },
  );

  it('is formatted beyond every limit, while it is written and after', async () => {
    const { text, parts } = exact(kind, LONGEST_PARSED + 1);
    const report = `# Report\n\n${text}${AFTER}`;
    const steps = [0.3, 0.7, 0.98].map((share) => report.slice(0, report.length * share));
    expectFormatted(await shown([...steps, report]), kind, parts);
  });
});

function expectFormatted(page: Element, { count }: Kind, parts: number): void {
  const raw = [...page.querySelectorAll('[data-source]')].filter(
    (one) => !one.matches('[class*=displayed], [class*=inline]'),
  );
  expect(raw.map(({ textContent }) => textContent?.slice(0, 80))).toEqual([]);
  const words = page.cloneNode(true) as Element;
  for (const code of words.querySelectorAll('pre')) code.remove();
  expect(words.textContent).not.toMatch(/\*\*|(?:^|\s)##|\[page\]|\[\^/);
  if (count) expect(page.querySelectorAll(count)).toHaveLength(parts);
  else expect(page.querySelectorAll('pre')).toHaveLength(2);
  expect(page.querySelectorAll('h1')).toHaveLength(1);
  expect([...page.querySelectorAll('h2')].at(-1)?.textContent).toBe('After');
  const links = [...page.querySelectorAll('a')];
  expect(links.at(-1)?.href).toBe('https://example.com/page');
  const notes = [...page.querySelectorAll('section[data-footnotes] > ol > li')];
  expect(notes.map(({ textContent }) => textContent)).toContain('The note.');
}

/** Draws a text in steps, as a stream does, and waits until all of it is drawn. */
async function shown(steps: string[]): Promise<Element> {
  const view = render(framed(steps[0] ?? '', steps.length > 1));
  for (const text of steps.slice(1)) {
    // A frame.
    await act(() => new Promise((resolve) => setTimeout(resolve, 30)));
    view.rerender(framed(text, text !== steps.at(-1)));
  }
  // An expectation of the element itself would print it, each time that something is drawn.
  const isDrawn = () => view.container.querySelector('[class*=pending]') === null;
  await waitFor(() => expect(isDrawn()).toBe(true), { timeout: 100_000 });
  return view.container.querySelector('[data-markdown]') ?? view.container;
}

function framed(text: string, streaming: boolean) {
  return (
    <MantineProvider>
      <Markdown text={text} streaming={streaming} />
    </MantineProvider>
  );
}

describe('a part that cannot be formatted', () => {
  it('is shown as it is and says so, and all around it is formatted', async () => {
    const deep = `${'> '.repeat(200)}deep`;
    const page = await shown([`# Before\n\n${deep}\n\n**after**\n\n\`\`\`\n${deep}\n\`\`\``]);
    expect(page.querySelectorAll('[data-source]')).toHaveLength(1);
    expect(page.textContent).toContain('This part is too long or too deeply nested to be formatted.');
    expect(page.querySelector('h1')?.textContent).toBe('Before');
    expect(page.querySelector('strong')?.textContent).toBe('after');
    expect(page.querySelector('pre')?.textContent).toContain('deep');
  });

  it('is code in a known language only without its colors', async () => {
    const code = 'const a = 1;\n'.repeat(LONGEST_HIGHLIGHTED / 13 + 1);
    const page = await shown([`\`\`\`ts\n${code}\`\`\``]);
    expect(page.textContent).toContain('ts · too long to color');
  });
});
