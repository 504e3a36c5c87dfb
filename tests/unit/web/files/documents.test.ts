// @vitest-environment happy-dom
import type { DocumentReason, DocumentState } from '@parley/schema/files/documents';
import type { StoredFile } from '@parley/schema/files/stored-file';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeShown } from '../../../../web/src/chat/context/shown-files.tsx';
import { describePage, describeFilePage, describePages } from '../../../../web/src/files/citations/describe-pages.ts';
import { canReadAgain, describeDocument, describeFile } from '../../../../web/src/files/document-status.ts';
import { refetchInterval } from '../../../../web/src/files/refetch-interval.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('the list of files', () => {
  it('is read again only while a text is being read', () => {
    expect(refetchInterval(undefined, NOW)).toBe(false);
    expect(refetchInterval([file('ready', 0), file('failed', 0), { ...file('ready', 0), document: null }], NOW)).toBe(
      false,
    );
    expect(refetchInterval([file('ready', 0), file('queued', 1_000)], NOW)).toBe(2_000);
  });

  it('is read less often the longer it takes', () => {
    expect(refetchInterval([file('embedding', 60_000)], NOW)).toBe(12_000);
    expect(refetchInterval([file('reading', 3_600_000)], NOW)).toBe(30_000);
    expect(refetchInterval([file('reading', 3_600_000), file('reading', 0)], NOW)).toBe(2_000);
  });
});

it('an attached recording is said not to be read, whatever the server makes of it', () => {
  const { t } = i18n;
  const sentence = "It isn't read: the model only sees its name";
  for (const mime of ['audio/mpeg', 'video/mp4'])
    for (const state of [null, 'queued', 'failed'] as const) {
      const document = state && { state, pages: null, reason: null };
      expect(describeFile({ name: 'talk', mime }, document, t)).toBe(sentence);
    }
  expect(describeFile({ name: 'a.txt', mime: 'text/plain' }, null, t)).toBeNull();
});

it('the state of a document is shown by its pages or its reason', () => {
  const { t } = i18n;
  expect(describeDocument('a.pdf', { state: 'ready', pages: 12, reason: null }, t)).toBe('Pages: 12');
  expect(describeDocument('a.PPTX', { state: 'ready', pages: 12, reason: null }, t)).toBe('Slides: 12');
  expect(describeDocument('a.txt', { state: 'ready', pages: null, reason: null }, t)).toBeNull();
  expect(describeDocument('a.pdf', { state: 'embedding', pages: 12, reason: null }, t)).toBe('Being made searchable');
  expect(describeDocument('a.pdf', { state: 'failed', pages: null, reason: 'encrypted' }, t)).toBe(
    'It is protected by a password',
  );
  expect(describeDocument('a.pdf', { state: 'queued', pages: null, reason: 'timed_out' }, t)).toBe(
    'This one takes long, so it is read after the others',
  );
  expect(describeDocument('a.txt', { state: 'ready', pages: null, reason: null, encoding: 'shift_jis' }, t)).toBe(
    'Read as shift_jis, which is a guess',
  );
});

it('a text may be read again where that may end otherwise', () => {
  const failed = (reason: DocumentReason) => canReadAgain({ state: 'failed', pages: null, reason });
  expect((['timed_out', 'out_of_memory', 'unsupported', 'error'] as const).map(failed)).not.toContain(false);
  expect((['no_text', 'encrypted', 'damaged', 'too_large'] as const).map(failed)).not.toContain(true);
  expect(canReadAgain({ state: 'ready', pages: 1, reason: null })).toBe(false);
  expect(canReadAgain(null)).toBe(false);
});

it('a passage of a presentation is on a slide, of other files on a page', () => {
  const { t } = i18n;
  expect(['a.pptx', 'a.pdf'].map((name) => describePage(name, 5, t))).toEqual(['Slide 5', 'Page 5']);
  expect(['a.pptx', 'a.pdf'].map((name) => describeFilePage(name, 5, 60, t))).toEqual([
    'Slide 5 of 60',
    'Page 5 of 60',
  ]);
  expect(describeFilePage('a.pptx', 5, null, t)).toBe('Slide 5');
  expect(['a.pptx', 'a.pdf'].map((name) => describePages(name, [5, 7], t, 'en'))).toEqual([
    'Slides 5, 7',
    'Pages 5, 7',
  ]);
  expect([[5], []].map((pages) => describePages('a.pptx', pages, t, 'en'))).toEqual(['Slide 5', null]);
});

it('the viewer shows the pages a model saw of a file, or why it saw only the name', () => {
  const { t } = i18n;
  const named = { fileId: 'a', name: 'a.pdf' };
  const passages = [7, 2, 7].map((page, n) => ({ n, page }));
  expect(describeShown({ ...named, shown: 'whole' }, t)).toBe('Whole');
  expect(describeShown({ ...named, shown: 'passages', passages }, t)).toBe('Passages: 3 · From pages 2, 7');
  expect(describeShown({ ...named, name: 'a.pptx', shown: 'passages', passages }, t)).toBe(
    'Passages: 3 · From slides 2, 7',
  );
  expect(describeShown({ ...named, shown: 'passages', passages: [{ n: 0, page: null }] }, t)).toBe('Passages: 1');
  expect(describeShown({ ...named, shown: 'passages', passages: [] }, t)).toBe('No passage was found');
  expect(describeShown({ ...named, shown: 'name', why: 'indexing' }, t)).toBe('Name only · It was still being read');
  expect(describeShown({ ...named, shown: 'name', why: 'damaged' }, t)).toBe('Name only · It is damaged');
});

function file(state: DocumentState, age: number): StoredFile {
  return {
    fileId: 'a',
    temporaryId: null,
    name: 'a.pdf',
    mime: 'application/pdf',
    bytes: 1,
    width: null,
    height: null,
    context: 'message_attachment',
    source: 'local',
    path: '/api/files/download/u/a',
    uses: 0,
    document: { state, pages: null, reason: null },
    createdAt: new Date(NOW - age).toISOString(),
    updatedAt: new Date(NOW - age).toISOString(),
    expiresAt: null,
  };
}
