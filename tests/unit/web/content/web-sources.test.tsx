// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { MessagePart } from '@parley/schema/messages/messages';
import { sourcesCall } from '@parley/schema/tools/web-sources';
import { buildTree } from '@parley/schema/messages/tree';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Parts } from '../../../../web/src/chat/message/parts.tsx';
import { preloadMarkdown } from '../../../../web/src/content/lazy-markdown.tsx';
import { asMarkdown } from '../../../../web/src/export/as-markdown.ts';
import { asText } from '../../../../web/src/export/as-text.ts';
import type { Transcript } from '../../../../web/src/export/transcript.ts';
import { Sources } from '../../../../web/src/files/citations/sources.tsx';
import { listPages } from '../../../../web/src/files/citations/web-sources.ts';
import { startEnglish } from '../start-english.ts';
import { convo, message } from '../chat/people.ts';
import { call } from '../tools/calls.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
beforeAll(preloadMarkdown);
afterEach(cleanup);

const FOUND = `[1] A tower
https://tower.example/a?b=1
It is 330 metres high.

[2] A script
javascript:alert(1)

[3] A lake
https://lake.example/`;

function answer(text: string, output = FOUND): MessagePart[] {
  return [
    { type: 'tool_call', call: call({ id: '0:0', step: 0, name: 'web_search', output }) },
    { type: 'text', text },
  ];
}

function show(parts: MessagePart[], isWriting = false): HTMLElement {
  const { getByRole } = render(
    <MantineProvider>
      <main>
        <Parts message={{ messageId: 'm', parts }} isWriting={isWriting} />
        {!isWriting && <Sources message={{ parts }} />}
      </main>
    </MantineProvider>,
  );
  return getByRole('main');
}

const labels = (page: HTMLElement) =>
  [...page.querySelectorAll('p [data-testid=citation]')].map((chip) => chip.getAttribute('aria-label'));

describe('the marks of an answer that name pages of the web', () => {
  it('become buttons; others stay text', () => {
    const page = show(
      answer('High [1]. Script [2], lake [3], none [9], `code[1]`, rows[1].name, [1](https://x.example).'),
    );
    expect(labels(page)).toEqual(['Source 1: A tower', 'Source 3: A lake']);
  });

  it('stay text while the answer streams, and without a search before them', () => {
    expect(labels(show(answer('High [1].'), true))).toEqual([]);
    cleanup();
    expect(labels(show(answer('High [1].').toReversed()))).toEqual([]);
  });

  it('open what the search said, with a link that tells the page nothing', async () => {
    const page = show(answer('High [1].'));
    fireEvent.click(screen.getAllByRole('button', { name: 'Source 1: A tower' })[0] ?? page);
    const popover = await screen.findByRole('dialog', { name: 'A tower' });
    expect(popover.textContent).toContain('tower.example');
    expect(popover.textContent).toContain('It is 330 metres high.');
    const link = popover.querySelector('a');
    expect(link?.getAttribute('href')).toBe('https://tower.example/a?b=1');
    expect(link?.target).toBe('_blank');
    expect(link?.rel).toMatch(/noopener noreferrer/);
  });

  it('are listed below the answer, each page once', () => {
    const page = show(answer('Lake [3], high [1], lake [3].'));
    const links = [...page.querySelectorAll('section li a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['https://lake.example/', 'https://tower.example/a?b=1']);
    expect(page.querySelector('section img')).toBeNull();
  });

  it('stand for the passage of a file where one is cited', () => {
    const citations = [{ at: 5, fileId: 'f', name: 'a.pdf', page: null, n: 0, quote: 'q' }];
    const [search] = answer('');
    const parts = [...(search ? [search] : []), { type: 'text' as const, text: 'High [1].', citations }];
    expect(labels(show(parts))).toEqual(['Source 1: a.pdf']);
    expect(listPages({ parts })).toEqual([]);
  });
});

/** One that the provider itself has carried out for the whole of its answer. */
const providerSearch: MessagePart = {
  type: 'tool_call',
  call: sourcesCall([
    { n: 1, title: 'A tower', url: 'https://tower.example/a?b=1', snippet: '' },
    { n: 2, title: 'A script', url: 'javascript:alert(1)', snippet: '' },
    { n: 3, title: 'A lake', url: 'https://lake.example/', snippet: '' },
  ]),
};

it('the sources of a search by the provider stand below its answer, also those without a mark, and the search is no step', () => {
  const page = show([{ type: 'text', text: 'High [1].' }, providerSearch]);
  expect(labels(page)).toEqual(['Source 1: A tower']);
  const links = [...page.querySelectorAll('section a')].map((link) => link.getAttribute('href'));
  expect(links).toEqual(['https://tower.example/a?b=1', 'https://lake.example/']);
  expect(page.textContent).not.toContain('provider_web_search');
});

it('the sources of a search by the provider are exported below its answer, and the search is not', () => {
  const transcript = transcriptOf([{ type: 'text', text: 'High [1].' }, providerSearch]);
  const lines = ['[1] A tower: https://tower.example/a?b=1', 'A lake: https://lake.example/'];
  const text = asText(transcript, { includeOptions: false }).join('');
  expect(text).toContain(`High [1].\n\nSources:\n${lines.join('\n')}\n`);
  const markdown = asMarkdown(transcript, { includeOptions: false }).join('');
  expect(markdown).toContain(`High [1].\n\nSources:\n- ${lines.join('\n- ')}\n`);
  for (const written of [text, markdown]) expect(written).not.toContain('provider_web_search');
});

it('sources are exported below their answer', () => {
  const transcript = transcriptOf(answer('Lake [3], high [1].'));
  const lines = ['[3] A lake: https://lake.example/', '[1] A tower: https://tower.example/a?b=1'];
  const text = asText(transcript, { includeOptions: false }).join('');
  expect(text).toContain(`high [1].\n\nSources:\n${lines.join('\n')}\n`);
  const markdown = asMarkdown(transcript, { includeOptions: false }).join('');
  expect(markdown).toContain(`high [1].\n\nSources:\n- ${lines.join('\n- ')}\n`);
});

function transcriptOf(parts: MessagePart[]): Transcript {
  const of = message('a', 1, { parts });
  return {
    convo: convo(),
    title: 'Sources',
    tree: buildTree([of]),
    path: [of],
    exportAt: 'now',
    failureOf: () => '',
  };
}
