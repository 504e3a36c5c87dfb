// The workers that read what users send, as they are delivered: every extractor and library is in the bundle.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { askSpecProcess } from '@parley/server/actions/documents/spec-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBuiltExtractor } from '../../support/retrieval/built-extractor.ts';
import { lines, makeCjkPdf, makePdfPages, types, writeDocument } from '../../support/retrieval/documents.ts';

const extractor = createBuiltExtractor();
const fixture = (name: string) => readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url));

beforeAll(() => build());
afterAll(() => extractor.close());

test.each([
  ['pdf', types.pdf, () => makePdfPages([lines(['The lighthouse stands here.', 700])]), 'The lighthouse stands here.'],
  ['pdf without a table of characters', types.pdf, () => makeCjkPdf('90ms-RKSJ-H', 'Japan1', '939491e4'), '灯台'],
  ['docx', types.docx, () => fixture('pandoc.docx'), 'Ada Keeper'],
  ['xlsx', types.xlsx, () => fixture('openpyxl.xlsx'), 'Aurora | 1901-05-17'],
  ['pptx', types.pptx, () => fixture('pandoc.pptx'), 'Ada Keeper'],
  ['epub', types.epub, () => fixture('pandoc.epub'), 'Ada Keeper'],
  ['odt', types.odt, () => fixture('libreoffice.odt'), 'Year | Ships'],
  ['ods', types.ods, () => fixture('libreoffice.ods'), 'Aurora | 1901-05-17'],
  ['odp', types.odp, () => fixture('libreoffice.odp'), 'Ada Keeper'],
  ['rtf', types.rtf, () => fixture('libreoffice.rtf'), 'Year | Ships'],
  ['doc', types.doc, () => fixture('libreoffice.doc'), 'Year | Ships'],
  ['xls', types.xls, () => fixture('libreoffice.xls'), 'Aurora | 1901-05-17'],
  ['eml', types.eml, () => fixture('python.eml'), 'forty barrels'],
  ['text of an older encoding', types.plain, () => fixture('../encodings/shift_jis.txt'), '灯台'],
  ['html', types.html, () => '<h1>Lamps</h1><p>Oil', 'Lamps\n\nOil'],
  ['plain', types.plain, () => 'Plain text', 'Plain text'],
])('%s is read by the built worker', async (name, mime, make, part) => {
  const file = { path: writeDocument(make()), mime, name };
  const outcome = await extractor.extract(file, new AbortController().signal);
  if (outcome.type !== 'text') throw new Error(outcome.reason);
  expect(outcome.chunks.map(({ body }) => body).join('\n')).toContain(part);
});

test('an OpenAPI document is read by the built process', async () => {
  const program = pathToFileURL(`${root}server/dist/spec-worker.js`);
  const text = 'servers: [{ url: https://api.example.com }]\npaths: { /a: { get: { operationId: look } } }';
  const answer = await askSpecProcess('alice', { text, task: 'list', chosen: null }, program);
  expect(answer).toMatchObject({ status: 'valid', operations: [{ name: 'look', method: 'get', path: '/a' }] });
});
