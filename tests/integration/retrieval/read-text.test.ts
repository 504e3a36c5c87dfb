// The text of a file as its reader gets it: what the index has read, joined, in parts.
import { chunks } from '@parley/db/tables/documents';
import type { TextSection } from '@parley/schema/files/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lines, makePdfPages, makeXlsx, types } from '../../support/retrieval/documents.ts';
import { addFile, awaitState } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('the text of a file', () => {
  it('is whole, though its chunks overlap', async () => {
    const text = Array.from({ length: 300 }, (_, at) => `Sentence number ${at} stands alone.`).join(' ');
    const fileId = await add(text, 'long.txt', types.plain);
    const { sections, next, isWhole } = await alice.api.files.text({ fileId });
    expect(sections).toEqual([{ from: 0, to: expect.any(Number), page: null, heading: null, columns: null, text }]);
    expect(next).toBeNull();
    expect(isWhole).toBe(true);
  });

  it('has a section for each page', async () => {
    const pdf = makePdfPages([lines(['First page.', 700]), lines(['Second page.', 700])]);
    const fileId = await add(pdf, 'two.pdf', types.pdf);
    const { sections, document } = await alice.api.files.text({ fileId });
    expect(sections.map(({ page, text }) => [page, text])).toEqual([
      [1, 'First page.'],
      [2, 'Second page.'],
    ]);
    expect(document).toEqual({ state: 'ready', pages: 2, reason: null });
  });

  it('names the columns of a sheet once, however many chunks its rows are', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => [`Person ${at}`, `Town ${at}`]);
    const fileId = await add(makeXlsx([['Name', 'Town'], ...rows].map(rowXml).join('')), 'people.xlsx', types.xlsx);
    const { sections } = await alice.api.files.text({ fileId });
    expect(sections).toHaveLength(1);
    expect(sections[0]).toMatchObject({ heading: 'Ships', columns: 'Name | Town' });
    expect(sections[0]?.text.split('\n')).toEqual(rows.map((row) => row.join(' | ')));
  });

  it('comes in parts that repeat nothing', async () => {
    const fileId = await add('', 'parts.txt', types.plain);
    const bodies = Array.from({ length: 700 }, (_, n) => `A chunk of number ${n}. The end of chunk ${n}.`);
    const rows = bodies.map((body, n) => ({
      userId: alice.id,
      fileId,
      n,
      page: null,
      heading: null,
      tokens: 1,
      body: n === 0 ? body : `The end of chunk ${n - 1}. ${body}`,
    }));
    await services.deps.db.query.insert(chunks).values(rows);
    const first = await alice.api.files.text({ fileId });
    expect(first.next).toBe(500);
    const second = await alice.api.files.text({ fileId, cursor: first.next });
    expect(second.next).toBeNull();
    expect(textOf([...first.sections, ...second.sections])).toBe(bodies.join(' '));
  });

  it('says why there is none', async () => {
    const fileId = await add('%PDF-1.4\n%%EOF', 'broken.pdf', types.pdf, 'failed');
    expect(await alice.api.files.text({ fileId })).toMatchObject({
      document: { state: 'failed', reason: 'damaged' },
      sections: [],
      next: null,
    });
  });
});

async function add(bytes: string | Uint8Array, name: string, mime: string, state: 'ready' | 'failed' = 'ready') {
  const fileId = await addFile(services, alice, bytes, { name, mime });
  await awaitState(services, fileId, bytes === '' ? 'failed' : state);
  return fileId;
}

function textOf(sections: readonly TextSection[]): string {
  return sections.map(({ text }) => text).join('');
}

function rowXml(cells: readonly string[]): string {
  return `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;
}
