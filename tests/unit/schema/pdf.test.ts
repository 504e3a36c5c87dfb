import { pdfRuleOf } from '@parley/schema/catalog/pdf';
import type { FilePart } from '@parley/schema/messages/messages';
import { createPdfChooser } from '@parley/server/chat/context/choose-pdfs';
import { describe, expect, it } from 'vitest';

describe('PDFs are accepted', () => {
  it.each([
    ['openAI', 'gpt-4o', true],
    ['openAI', 'gpt-5.1', true],
    ['openAI', 'o3', true],
    ['openAI', 'o3-mini', false],
    ['openAI', 'gpt-4-turbo', false],
    ['anthropic', 'claude-3-5-sonnet-20240620', true],
    ['anthropic', 'claude-sonnet-5', true],
    ['anthropic', 'claude-3-opus-20240229', false],
    ['google', 'gemini-1.5-pro', true],
    ['google', 'gemini-pro-vision', false],
    ['custom', 'gpt-4o', false],
    ['azureOpenAI', 'gpt-4o', false],
  ] as const)('by %s, %s: %s', (type, model, expected) => {
    expect(pdfRuleOf(type, model) !== null).toBe(expected);
  });
});

describe('a PDF is sent as a file', () => {
  const rule = { bytesMax: 1000, pagesMax: 10, tokensPerPage: 50 };
  const pdf = (fileId: string, bytes = 100, mime = 'application/pdf'): FilePart => ({
    type: 'file',
    fileId,
    path: '',
    name: 'a.pdf',
    mime,
    bytes,
  });

  it('for the tokens of its pages, or of its bytes while they are not known', () => {
    const choose = createPdfChooser(rule, 10_000);
    expect(choose(pdf('a'), { pages: 3 })).toBe(150);
    expect(choose(pdf('b', 80), { pages: null })).toBe(2);
    expect(choose(pdf('c', 80), undefined)).toBe(2);
  });

  it('while all of them fit in bytes, pages and tokens', () => {
    const ofBytes = createPdfChooser(rule, 10_000);
    expect(ofBytes(pdf('a', 900), { pages: 1 })).toBe(50);
    expect(ofBytes(pdf('b', 101), { pages: 1 })).toBeNull();
    expect(ofBytes(pdf('c', 100), { pages: 1 })).toBe(50);
    const ofPages = createPdfChooser(rule, 10_000);
    expect(ofPages(pdf('a'), { pages: 8 })).toBe(400);
    expect(ofPages(pdf('b'), { pages: 3 })).toBeNull();
    const ofTokens = createPdfChooser(rule, 100);
    expect(ofTokens(pdf('a'), { pages: 3 })).toBeNull();
    expect(ofTokens(pdf('b'), { pages: 2 })).toBe(100);
  });

  it('with one answer for the same file, which counts once', () => {
    const choose = createPdfChooser(rule, 100);
    expect(choose(pdf('a'), { pages: 2 })).toBe(100);
    expect(choose(pdf('a'), { pages: 2 })).toBe(100);
    expect(choose(pdf('b'), { pages: 1 })).toBeNull();
  });

  it('only if it is one, and only where there is a rule', () => {
    expect(createPdfChooser(rule, 100)(pdf('a', 1, 'text/plain'), { pages: 1 })).toBeNull();
    expect(createPdfChooser(null, 100)(pdf('a'), { pages: 1 })).toBeNull();
  });
});
