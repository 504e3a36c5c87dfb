// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newChatSettingsOf, saveBingSettings } from '../../../../web/src/catalog/last-bing-settings.ts';
import { Suggestions } from '../../../../web/src/chat/message/suggestions.tsx';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { describeReason } from '../../../../web/src/errors/describe-reason.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe('the last settings for Bing', () => {
  it('are stored under the name that clients know, and apply to a new chat', () => {
    expect(newChatSettingsOf('bingAI')).toEqual({});
    saveBingSettings('bingAI', { toneStyle: 'precise', jailbreak: true, context: 'A well.' });
    expect(JSON.parse(localStorage.getItem('lastBingSettings') ?? '')).toEqual({
      jailbreak: true,
      toneStyle: 'precise',
    });
    expect(newChatSettingsOf('bingAI')).toEqual({ toneStyle: 'precise', jailbreak: true });
    expect(newChatSettingsOf('openAI')).toEqual({});
  });

  it('omit defaults', () => {
    saveBingSettings('bingAI', { toneStyle: 'fast' });
    saveBingSettings('bingAI', {});
    expect(JSON.parse(localStorage.getItem('lastBingSettings') ?? '')).toEqual({
      jailbreak: false,
      toneStyle: 'creative',
    });
    expect(newChatSettingsOf('bingAI')).toEqual({});
  });

  it('are not changed by other endpoints', () => {
    saveBingSettings('openAI', { toneStyle: 'fast' });
    expect(localStorage.getItem('lastBingSettings')).toBeNull();
  });

  it.each(['', 'null', '[]', '{"toneStyle":"loud","jailbreak":"yes"}', '{"toneStyle":5}'])(
    'are empty when %s is stored',
    (stored) => {
      localStorage.setItem('lastBingSettings', stored);
      expect(newChatSettingsOf('bingAI')).toEqual({});
    },
  );
});

describe('suggestions', () => {
  it('are sent by a click', () => {
    const picked: string[] = [];
    const { getByRole } = show(
      <Suggestions suggestions={['Why?', 'How?']} onPick={(text) => void picked.push(text)} />,
    );
    expect(getByRole('group', { name: 'Suggested questions' })).toBeTruthy();
    fireEvent.click(getByRole('button', { name: 'How?' }));
    expect(picked).toEqual(['How?']);
  });
});

describe('the frame of a made image', () => {
  const address = 'https://www.bing.com/images/create?q=fox';
  const frame = `<iframe role="presentation" src="${address}"></iframe>`;

  it('is drawn by the app, and loads nothing before a click', () => {
    const page = show(<Markdown text={`Here **it** is:\n\n${frame}\n\nNice?`} streaming={false} />);
    expect(page.container.querySelector('iframe')).toBeNull();
    expect(page.container.textContent).not.toContain('<iframe');
    expect(page.container.querySelector('strong')?.textContent).toBe('it');
    expect(page.getByRole('button', { name: 'Show the picture from www.bing.com' })).toBeTruthy();
    expect(page.getByRole('link', { name: 'A picture made by Bing' }).getAttribute('href')).toBe(address);
  });

  it('keeps the text on both sides', () => {
    const { container, getByRole } = show(<Markdown text={`Before ${frame} after`} streaming={false} />);
    expect(getByRole('button')).toBeTruthy();
    expect(container.textContent).toMatch(/Before.*after$/);
  });

  it.each([
    ['is still being written', frame, true],
    ['stands beside a script', `${frame}\n\n<script>alert(1)</script>`, false],
    ['is one of two', `${frame}\n\n${frame}`, false],
    ['is talked about in code', `\`\`\`html\n${frame}\n\`\`\``, false],
    ['is talked about in a line of code', `Write \`${frame}\` there`, false],
  ])('that %s is text', (_, text, streaming) => {
    const { container, queryByRole } = show(<Markdown text={text} streaming={streaming} />);
    expect(queryByRole('button', { name: /picture/ })).toBeNull();
    expect(container.querySelector('iframe')).toBeNull();
    expect(container.textContent).toContain('<iframe');
  });
});

describe('an unreachable endpoint', () => {
  it.each([
    ['bingAI', null, 'Bing could not be reached. Please try again.'],
    ['bingAI', 404, 'Bing is not available at the moment. Please try again.'],
    ['House model', null, 'House model could not be reached. Please try again.'],
    [undefined, null, 'The provider could not be reached. Please try again.'],
  ])('is named: %s with %s', (endpoint, status, sentence) => {
    expect(describeReason({ type: 'provider_unavailable', status }, i18n.t, { endpoint })).toBe(sentence);
  });
});

function show(element: ReactNode) {
  return render(<MantineProvider>{element}</MantineProvider>);
}
