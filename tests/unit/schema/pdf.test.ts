import { pdfRuleOf } from '@parley/schema/catalog/pdf';
import type { FilePart } from '@parley/schema/messages/messages';
import { createPdfChooser } from '@parley/server/chat/context/files/choose-pdfs';
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

  it('if the tokens of its pages fit, or of its bytes while its pages are unknown', () => {
    const choose = createPdfChooser({ pdf: rule, scans: null, pdfTokensMax: 10_000 });
    expect(choose(pdf('a'), { pages: 3, reason: null })).toBe(150);
    expect(choose(pdf('b', 80), { pages: null, reason: null })).toBe(2);
    expect(choose(pdf('c', 80), undefined)).toBe(2);
  });

  it('while all of them fit in bytes, pages and tokens', () => {
    const ofBytes = createPdfChooser({ pdf: rule, scans: null, pdfTokensMax: 10_000 });
    expect(ofBytes(pdf('a', 900), { pages: 1, reason: null })).toBe(50);
    expect(ofBytes(pdf('b', 101), { pages: 1, reason: null })).toBeNull();
    expect(ofBytes(pdf('c', 100), { pages: 1, reason: null })).toBe(50);
    const ofPages = createPdfChooser({ pdf: rule, scans: null, pdfTokensMax: 10_000 });
    expect(ofPages(pdf('a'), { pages: 8, reason: null })).toBe(400);
    expect(ofPages(pdf('b'), { pages: 3, reason: null })).toBeNull();
    const ofTokens = createPdfChooser({ pdf: rule, scans: null, pdfTokensMax: 100 });
    expect(ofTokens(pdf('a'), { pages: 3, reason: null })).toBeNull();
    expect(ofTokens(pdf('b'), { pages: 2, reason: null })).toBe(100);
  });

  it('with one answer for the same file, which counts once', () => {
    const choose = createPdfChooser({ pdf: rule, scans: null, pdfTokensMax: 100 });
    expect(choose(pdf('a'), { pages: 2, reason: null })).toBe(100);
    expect(choose(pdf('a'), { pages: 2, reason: null })).toBe(100);
    expect(choose(pdf('b'), { pages: 1, reason: null })).toBeNull();
  });

  it('only if it is one, and only where there is a rule', () => {
    expect(
      createPdfChooser({ pdf: rule, scans: null, pdfTokensMax: 100 })(pdf('a', 1, 'text/plain'), {
        pages: 1,
        reason: null,
      }),
    ).toBeNull();
    expect(
      createPdfChooser({ pdf: null, scans: null, pdfTokensMax: 100 })(pdf('a'), { pages: 1, reason: null }),
    ).toBeNull();
  });

  it.each(['damaged', 'encrypted'] as const)('never if it is %s: a provider may refuse the whole request', (reason) => {
    const choose = createPdfChooser({ pdf: rule, scans: rule, pdfTokensMax: 1000 });
    expect(choose(pdf('a'), { pages: null, reason })).toBeNull();
  });

  it('if it is a scan, to every model that reads pages, whatever is set', () => {
    const choose = createPdfChooser({ pdf: null, scans: rule, pdfTokensMax: 1000 });
    expect(choose(pdf('a'), { pages: 2, reason: 'no_text' })).toBe(100);
    expect(choose(pdf('b'), { pages: 2, reason: null })).toBeNull();
    const blind = createPdfChooser({ pdf: null, scans: null, pdfTokensMax: 1000 });
    expect(blind(pdf('a'), { pages: 2, reason: 'no_text' })).toBeNull();
  });
});
