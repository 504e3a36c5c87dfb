import { IMPORT_LIMITS, type ImportFault } from '@parley/schema/transfer/results';
import { createSplitter, titleIn } from '@parley/schema/transfer/splitter';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('splitting a file', () => {
  test.each<[string, string[], ImportFault | null]>([
    ['[]', [], null],
    [' [ {"a":1} , {"b":"},{"} ] ', ['{"a":1}', '{"b":"},{"}'], null],
    ['\ufeff{"a":[1,{"b":2}]}', ['{"a":[1,{"b":2}]}'], null],
    ['{"a":1}\n{"b":2}\r\n', ['{"a":1}', '{"b":2}'], null],
    [String.raw`[{"a":"\\\"}"}]`, [String.raw`{"a":"\\\"}"}`], null],
    ['[1,"a,]b",[2,{"a":1}],null]', ['1', '"a,]b"', '[2,{"a":1}]', 'null'], null],
    ['[{"a":1},{"b":', ['{"a":1}'], 'cut_off'],
    ['[{"a":1}', ['{"a":1}'], 'cut_off'],
    ['', [], 'empty'],
    [' \n', [], 'empty'],
    ['PK\u0003\u0004', [], 'not_json'],
    ['P', [], 'not_json'],
    ['Peter', [], 'not_json'],
    [' PK', [], 'not_json'],
    ['hello', [], 'not_json'],
    ['"text"', [], 'not_json'],
    ['{"a":1}]{"b":2}', ['{"a":1}'], 'not_json'],
  ])('%j', (file, pieces, fault) => {
    for (const step of [1, 3, 1_000]) expect(split(file, step)).toEqual({ pieces, fault });
  });

  test('returns any list of JSON values, wherever it is split', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (values, step) => {
        const { pieces, fault } = split(`[${values.join(' ,\n')}]`, step);
        expect(fault).toBeNull();
        expect(pieces.map((piece) => JSON.parse(piece))).toEqual(values.map((value) => JSON.parse(value)));
      }),
    );
  });

  test('ends in pieces or a reported fault for any bytes, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const splitter = createSplitter(IMPORT_LIMITS);
        splitter.push(bytes);
        expect([null, 'empty', 'not_json', 'cut_off']).toContain(splitter.fault());
      }),
    );
  });

  test('drops a value that is too long or too large, and reads the next', () => {
    const splitter = createSplitter({ itemBytes: 100, itemValues: 20 });
    const long = { title: 'A "long" one', text: 'x'.repeat(200) };
    const many = { title: 'Many', list: Array.from({ length: 30 }, () => 1) };
    const pieces = splitter.push(new TextEncoder().encode(JSON.stringify([long, many, { a: 1 }])));
    expect(pieces.map(({ index, isTooLarge, bytes }) => [index, isTooLarge, bytes.length])).toEqual([
      [0, true, 0],
      [1, true, 0],
      [2, false, 1],
    ]);
    expect(pieces.map(({ head }) => titleIn(head))).toEqual(['A "long" one', 'Many', null]);
  });
});

function split(file: string, step: number) {
  const bytes = new TextEncoder().encode(file);
  const splitter = createSplitter(IMPORT_LIMITS);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    for (const piece of splitter.push(bytes.slice(at, at + step)))
      pieces.push(Buffer.concat(piece.bytes).toString('utf8'));
  }
  return { pieces, fault: splitter.fault() };
}
