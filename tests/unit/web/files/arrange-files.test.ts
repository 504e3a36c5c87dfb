// The table of files: filter, order and pages; and sizes as they are written.
import type { StoredFile } from '@parley/schema/files/stored-file';
import { describe, expect, test } from 'vitest';
import { movedBy, squareAt } from '../../../../web/src/files/avatar/crop-square.ts';
import { formatBytes, formatMegabytes } from '../../../../web/src/files/format-bytes.ts';
import { arrangeFiles, FIRST_ORDER, reordered } from '../../../../web/src/files/table/arrange-files.ts';
import { paginate } from '../../../../web/src/lib/paginate.ts';
import { fitInto } from '../../../../web/src/files/upload/image-size.ts';
import { readUploaded } from '../../../../web/src/files/upload/upload-file.ts';

function stored(name: string, rest: Partial<StoredFile> = {}): StoredFile {
  return {
    fileId: name,
    temporaryId: null,
    name,
    mime: 'text/plain',
    bytes: 1,
    width: null,
    height: null,
    context: 'message_attachment',
    source: 'local',
    path: `/api/files/download/u/${name}`,
    uses: 0,
    document: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    ...rest,
  };
}

describe('the rows of the file table', () => {
  const files = [
    stored('part 10.txt', { bytes: 30, updatedAt: '2026-01-02T00:00:00.000Z' }),
    stored('Part 2.txt', { bytes: 10, updatedAt: '2026-01-03T00:00:00.000Z' }),
    stored('plan.pdf', { bytes: 20 }),
  ];
  const names = (...rest: [string, Parameters<typeof arrangeFiles>[2]]) =>
    arrangeFiles(files, ...rest, 'en-US').map(({ name }) => name);

  test('begin with the newest', () => {
    expect(names('', FIRST_ORDER)).toEqual(['Part 2.txt', 'part 10.txt', 'plan.pdf']);
  });

  test('are filtered by a part of the name, whatever its case', () => {
    expect(names(' PART ', FIRST_ORDER)).toEqual(['Part 2.txt', 'part 10.txt']);
  });

  test('are sorted by a column, and in reverse at the second click', () => {
    const bySize = reordered(FIRST_ORDER, 'size');
    expect(names('', bySize)).toEqual(['part 10.txt', 'plan.pdf', 'Part 2.txt']);
    expect(names('', reordered(bySize, 'size'))).toEqual(['Part 2.txt', 'plan.pdf', 'part 10.txt']);
    expect(names('', reordered(FIRST_ORDER, 'name'))).toEqual(['Part 2.txt', 'part 10.txt', 'plan.pdf']);
  });
});

test('a page has ten rows, and a page beyond the end is the last one', () => {
  const rows = Array.from({ length: 21 }, (_, index) => index);
  expect(paginate(rows, 0, 10)).toEqual({ rows: rows.slice(0, 10), index: 0, count: 3 });
  expect(paginate(rows, 7, 10)).toEqual({ rows: [20], index: 2, count: 3 });
  expect(paginate([], 1, 10)).toEqual({ rows: [], index: 0, count: 1 });
});

test('sizes are written as people say them', () => {
  const written = [0, 1, 31, 49_152, 2_200_000, 1_048_576, 5 * 1024 ** 3].map((bytes) => formatBytes(bytes, 'en-US'));
  expect(written).toEqual(['0 bytes', '1 byte', '31 bytes', '48 kB', '2.1 MB', '1 MB', '5 GB']);
});

test('sizes of a table are in megabytes with two decimals, but for the smallest', () => {
  const written = [0, 10_485, 10_486, 2_200_000, 5 * 1024 ** 3].map((bytes) => formatMegabytes(bytes, 'en-US'));
  expect(written).toEqual([null, null, '0.01 MB', '2.10 MB', '5,120.00 MB']);
  expect(formatMegabytes(2_200_000, 'de-DE')).toBe('2,10 MB');
});

test('sizes have the digits and the unit of the language', () => {
  expect([12, 2_048, 5_400_000].map((bytes) => formatBytes(bytes, 'ru-RU').replace(/\s/, ' '))).toEqual([
    '12 байт',
    '2 кБ',
    '5,1 МБ',
  ]);
  expect(formatBytes(5_400_000, 'ar-EG')).toMatch(/^٥٫١/);
});

test('an image keeps its proportions in its box and is never enlarged', () => {
  const box = { width: 360, height: 280 };
  expect(fitInto({ width: 1600, height: 1000 }, box)).toEqual({ width: 360, height: 225 });
  expect(fitInto({ width: 100, height: 4_000 }, box)).toEqual({ width: 7, height: 280 });
  expect(fitInto({ width: 20, height: 10 }, box)).toEqual({ width: 20, height: 10 });
});

test('a profile image is the square in the middle', () => {
  expect(squareAt({ width: 300, height: 100 }, 1)).toEqual({ x: 100, y: 0, side: 100 });
  expect(squareAt({ width: 300, height: 100 }, 2)).toEqual({ x: 125, y: 25, side: 50 });
  expect(squareAt({ width: 300, height: 100 }, 2, { x: 1, y: 0 })).toEqual({ x: 250, y: 0, side: 50 });
});

test('the square of a profile image moves against the image, and stays in it', () => {
  const wide = { width: 300, height: 100 };
  const middle = { x: 0.5, y: 0.5 };
  // A tenth of a side of 100 is 10 of the 200 pixels that it can move.
  expect(movedBy(wide, 1, middle, { x: 0.1, y: 0.1 })).toEqual({ x: 0.45, y: 0.5 });
  expect(movedBy(wide, 2, middle, { x: 0, y: -0.5 })).toEqual({ x: 0.5, y: 1 });
  expect(movedBy(wide, 2, middle, { x: 9, y: 9 })).toEqual({ x: 0, y: 0 });
});

describe('the response to an upload', () => {
  const document = {
    file_id: 'f',
    user: 'u',
    filename: 'a b.png',
    bytes: 3,
    type: 'image/png',
    filepath: '/images/u/f',
  };

  test('is read as an image with its size', () => {
    expect(readUploaded({ ...document, width: 4, height: 5 })).toEqual({
      type: 'image',
      fileId: 'f',
      name: 'a b.png',
      mime: 'image/png',
      bytes: 3,
      path: '/images/u/f',
      width: 4,
      height: 5,
    });
  });

  test('is read as a file with its own address when its text is indexed', () => {
    const indexed = { ...document, type: 'application/pdf', filepath: 'vectordb' };
    expect(readUploaded(indexed)).toMatchObject({ type: 'file', path: '/api/files/download/u/f' });
  });

  test('is ignored when it is no document', () => {
    expect(readUploaded({ message: 'no' })).toBeNull();
    expect(readUploaded(null)).toBeNull();
  });
});
