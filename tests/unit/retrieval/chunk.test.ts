import { createChunker, joinBodies } from '@parley/server/retrieval/chunk';
import { Unreadable, type Section } from '@parley/server/retrieval/extract/source';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const MOST = 1600;

describe('a text', () => {
  it('is one chunk when it fits', () => {
    expect(chunk({ text: 'Short.\n' })).toEqual([{ n: 0, page: null, heading: null, body: 'Short.', tokens: 2 }]);
  });

  it('is no chunk when it has no words', () => {
    expect(chunk({ text: ' \n\t ' })).toEqual([]);
  });

  it('is cut between paragraphs', () => {
    const [first, second, third] = [words(1200), words(1000), words(300)];
    const bodies = chunk({ text: [first, second, third].join('\n\n') }).map(({ body }) => body);
    expect(bodies[0]).toBe(first);
    expect(bodies[1]?.endsWith(`${second}\n\n${third}`)).toBe(true);
  });

  it('is cut between sentences where no paragraph ends', () => {
    const [first, second] = chunk({ text: 'A sentence that ends. '.repeat(100) });
    expect(first?.body.endsWith('that ends.')).toBe(true);
    expect(second?.body.startsWith('A sentence')).toBe(true);
  });

  it('is cut behind a Chinese full stop, too', () => {
    const bodies = chunk({ text: '灯塔矗立在北方的悬崖上。'.repeat(200) }).map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.filter((body) => !body.startsWith('灯') || !body.endsWith('。'))).toEqual([]);
  });

  it('is cut even if it is one endless word, without halving a letter', () => {
    const bodies = chunk({ text: '😀'.repeat(4001) }).map(({ body }) => body);
    expect(bodies.join('').isWellFormed()).toBe(true);
    expect(bodies.every((body) => body.isWellFormed())).toBe(true);
    expect(new Set(bodies.join(''))).toEqual(new Set(['😀']));
  });

  it('loses no word, and repeats at most 200 characters', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ mode: 'sentences', maxCount: 12 }), { maxLength: 40 }), (paragraphs) => {
        const text = paragraphs.join('\n\n');
        const chunks = chunk({ text });
        expect(chunks.every(({ body }) => body.length <= MOST)).toBe(true);
        expect(chunks.map(({ n }) => n)).toEqual(chunks.map((_, index) => index));
        let at = 0;
        for (const { body } of chunks) {
          const start = text.indexOf(body, Math.max(0, at - 200));
          expect(start).toBeGreaterThanOrEqual(0);
          expect(text.slice(at, start).trim()).toBe('');
          at = start + body.length;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
      { numRuns: 50 },
    );
  });

  it('is cleaned of what a database or a screen cannot take', () => {
    expect(chunk({ text: 'a\u0000b\ud800c\r\nd\u0007e\u00adf' })[0]?.body).toBe('ab\ufffdc\ndef');
  });
});

describe('sections', () => {
  it('begin a chunk each when they are long, under their headings', () => {
    const [first, second] = [words(500), words(500)];
    const chunks = chunk({ heading: 'One', text: first }, { heading: 'Two', text: second });
    expect(chunks.map(({ heading, body }) => [heading, body])).toEqual([
      ['One', first],
      ['Two', second],
    ]);
  });

  it('are joined when they are short', () => {
    const chunks = chunk({ heading: 'One', text: 'A title' }, { heading: 'One > Two', text: 'A sentence.' });
    expect(chunks.map(({ heading, body }) => [heading, body])).toEqual([['One', 'A title\n\nA sentence.']]);
  });

  it('are never joined across pages', () => {
    const chunks = chunk({ page: 1, text: 'One' }, { page: 2, text: 'Two' });
    expect(chunks.map(({ page, body }) => [page, body])).toEqual([
      [1, 'One'],
      [2, 'Two'],
    ]);
  });

  it('have headings of one line and 200 characters', () => {
    expect(chunk({ heading: 'On two\nlines', text: 'a' })[0]?.heading).toBe('On two lines');
    expect(chunk({ heading: 'x'.repeat(500), text: 'a' })[0]?.heading).toBe('x'.repeat(200));
  });
});

describe('rows of a table', () => {
  const rows = Array.from({ length: 200 }, (_, n) => `Ship ${n} | ${1800 + n} | afloat`);

  it('stay whole, under the names of their columns', () => {
    const chunks = chunk({ columns: 'Name | Built | State', text: rows.join('\n') });
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every(({ body }) => body.length <= MOST && body.startsWith('Name | Built | State\n'))).toBe(true);
    expect(chunks.flatMap(({ body }) => body.split('\n').slice(1))).toEqual(rows);
  });

  it('are cut when they are too long', () => {
    const chunks = chunk({ columns: 'N', text: `${'x'.repeat(4000)}\ny` });
    expect(chunks.every(({ body }) => body.length <= MOST && body.startsWith('N\n'))).toBe(true);
    expect(chunks.map(({ body }) => body.slice(2)).join('')).toBe(`${'x'.repeat(4000)}y`);
  });

  it('are cut between cells when they are too long', () => {
    const cells = Array.from({ length: 2000 }, (_, n) => `${n + 100_000}`);
    const chunks = chunk({ columns: 'N', text: cells.join(' | ') });
    expect(chunks.every(({ body }) => body.length <= MOST)).toBe(true);
    expect(chunks.flatMap(({ body }) => body.slice(2).match(/\d+/g))).toEqual(cells);
  });

  it('have room beside very long names of columns, which are told whole once', () => {
    const names = Array.from({ length: 300 }, (_, n) => `Column ${n}`);
    const chunks = chunk({ columns: names.join(' | '), text: rows.join('\n') });
    const first = chunks.findIndex(({ body }) => body.includes('Ship 0'));
    const told = chunks.slice(0, first).flatMap(({ body }) => body.split('|').map((name) => name.trim()));
    expect(told.filter((name) => name !== '')).toEqual(names);
    expect(chunks[first]?.body.split('\n')[1]).toBe(rows[0]);
    expect(chunks.slice(first).every(({ body }) => body.startsWith('Column 0 | ') && body.length <= MOST)).toBe(true);
  });
});

it('a file of more chunks than are kept is refused', () => {
  const chunker = createChunker(3);
  for (const page of [1, 2, 3]) chunker.write({ page, heading: null, text: 'a' });
  chunker.write({ page: 4, heading: null, text: 'a' });
  expect(() => chunker.finish()).toThrow(new Unreadable('too_large'));
});

it('neighbors are joined without what they repeat', () => {
  const text = 'A sentence that ends here, number one. And another one that is different, two. '.repeat(60).trim();
  const numbered = text.replace(
    /one|two/g,
    (() => {
      let n = 0;
      return () => String(n++);
    })(),
  );
  expect(joinBodies(chunk({ text: numbered }).map(({ body }) => body))).toBe(numbered);
});

function chunk(...sections: (Partial<Section> & { text: string })[]) {
  const chunker = createChunker();
  for (const section of sections) chunker.write({ page: null, heading: null, ...section });
  return chunker.finish().chunks;
}

/** A paragraph of about `length` characters without an end of a sentence inside. */
function words(length: number): string {
  return `${'word '.repeat(Math.floor(length / 5) - 1)}end.`;
}
