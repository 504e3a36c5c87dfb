import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooDeep, splitBlocks, type Split } from '../../../../web/src/content/split-blocks.ts';
import { readFence } from '../../../../web/src/content/code/fence.ts';
import { LONGEST_FORMULA } from '../../../../web/src/content/math/find-math.ts';
import { BRACKET_MARK, DISPLAY_MARK, normaliseMath } from '../../../../web/src/content/math/normalise-math.ts';
import { definitionsFor, NO_REFERENCES } from '../../../../web/src/content/references/references.ts';

describe('splitting an answer into blocks', () => {
  it('keeps a list, a table and a fenced block whole', () => {
    const list = '1. one\n2. two\n\n   still two\n\n';
    const code = '```js\na\n\nb\n```\n\n';
    const table = '| a |\n| - |\n| b |\n\n';
    expect(splitBlocks(null, `# Title\n\n${list}${code}${table}the end`).blocks).toEqual([
      '# Title\n\n',
      list,
      code,
      table,
      'the end',
    ]);
  });

  it('keeps a displayed formula whole over blank lines and lines that look like lists', () => {
    const formula = '$$\na\n\n- b\n= c\n$$\n\n';
    expect(splitBlocks(null, `before\n\n${formula}after`).blocks).toEqual(['before\n\n', formula, 'after']);
  });

  it('ends a formula whose dollar pair is never closed', () => {
    const rest = 'a paragraph\n\n'.repeat(LONGEST_FORMULA / 10);
    expect(splitBlocks(null, `$$\n\n${rest}`).blocks.length).toBeGreaterThan(300);
  });

  it('gives the same blocks however the text is split', () => {
    fc.assert(
      fc.property(torture, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (text, steps) => {
        const split = grow(text, steps);
        expect(split.blocks).toEqual(splitBlocks(null, text).blocks);
        expect(split.references).toEqual(splitBlocks(null, text).references);
        expect(split.blocks.join('')).toBe(text.replace(/\r\n?/g, '\n'));
      }),
      { numRuns: 1_500 },
    );
  });

  it('reads no more for a piece at the end of a long answer than at its start', () => {
    const section = 'A paragraph of some length.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n';
    const atStart = costOfGrowing(section.repeat(4), section);
    expect(costOfGrowing(section.repeat(4_000), section)).toBe(atStart);
  });

  it('starts over for another text', () => {
    expect(splitBlocks(splitBlocks(null, 'one\n\ntwo\n\nthree'), 'four\n\nfive').blocks).toEqual(['four\n\n', 'five']);
  });

  it.each([
    ['lists in one line', `${'- '.repeat(2_000)}x`],
    ['numbered lists in one line', `${'1. '.repeat(500)}x`],
    ['lists of many lines', Array.from({ length: 140 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ])('does not read what is nested too deep: %s', (_what, text) => {
    expect(isTooDeep(text)).toBe(true);
    expect(splitBlocks(null, `before\n\n${text}\n\nafter`).blocks.at(-1)).toBe('after');
  });

  it('reads rules, dashes and lists that people write', () => {
    const list = Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n');
    for (const text of [
      '-'.repeat(500),
      '*'.repeat(500),
      '- '.repeat(300),
      `\`\`\`\n${'> '.repeat(200)}\n\`\`\``,
      list,
      `${' '.repeat(300)}far right`,
    ])
      expect(isTooDeep(text)).toBe(false);
  });

  it('handles deeply nested marks', () => {
    const nested = '> '.repeat(20_000);
    expect(splitBlocks(null, nested).blocks.join('')).toBe(nested);
  });
});

describe('formulas and money', () => {
  it.each([
    'It is $5 and $10.',
    'from $5-$10, $5k, $1.5M or US$3',
    'echo $HOME/bin:$PATH',
    'a `$x$` in code',
    '```sh\necho $$ and $x$\n```',
    '    indented $x$',
    'an \\[escaped link\\](https://example.com)',
    'an escaped \\$x\\$',
  ])('leaves %j unchanged', (text) => {
    expect(normaliseMath(text)).toBe(text);
  });

  it.each([
    ['so $x$ is', 'so $$ x $$ is'],
    ['so \\(x\\) is', `so $$ ${BRACKET_MARK}x $$ is`],
    ['$5 for $x_1$ and $y$', '$5 for $$ x_1 $$ and $$ y $$'],
    ['函数$f(x)$是', '函数$$ f(x) $$是'],
    ['the $n$th', 'the $$ n $$th'],
    ['$\\text{costs \\$5}$', '$$ \\text{costs \\$5} $$'],
    ['so $$x$$ is', `so $$ ${DISPLAY_MARK}x $$ is`],
    ['\\[\nx % why\n\n= y\n\\]', `$$ ${DISPLAY_MARK}${BRACKET_MARK}x  = y $$`],
    ['> $$\n> x\n> $$', `> $$ ${DISPLAY_MARK}x $$`],
    ['| $|x|$ |', '| $$ \\vert x\\vert  $$ |'],
    ['pid is $$, say $x$', 'pid is \\$\\$, say $$ x $$'],
  ])('writes %j in the normal form', (text, written) => {
    expect(normaliseMath(text)).toBe(written);
  });

  it('closes a displayed formula while more is arriving', () => {
    expect(normaliseMath('$$\nx +', true)).toBe(`$$ ${DISPLAY_MARK}x + $$`);
    expect(normaliseMath('$$\nx +', false)).toBe('\\$\\$\nx +');
  });

  it.each(['$a ', '$$ a\n', '\\[a ', '\\(a ', '` `` '])('reads a text that is only the opener %j', (opener) => {
    expect(normaliseMath(opener.repeat(10_000))).not.toBe('');
  });
});

describe('a fenced block', () => {
  it('has a language, code and an end', () => {
    expect(readFence('```ts title=x\na\n\nb\n```\n\n')).toEqual({
      language: 'ts',
      info: 'ts title=x',
      code: 'a\n\nb',
      closed: true,
    });
    expect(readFence('~~~~\n~~~\n')).toEqual({ language: '', info: '', code: '~~~', closed: false });
    expect(readFence('  ```\n  a\n    b\n  ```')).toEqual({ language: '', info: '', code: 'a\n  b', closed: true });
  });

  it('hides a partial closing fence', () => {
    expect(readFence('```js\na\n``')).toEqual({ language: 'js', info: 'js', code: 'a', closed: false });
  });

  it('differs from a paragraph with code', () => {
    expect(readFence('```a``` b')).toBeUndefined();
    expect(readFence('text\n```\na\n```')).toBeUndefined();
  });
});

describe('references between blocks', () => {
  it('are found where they are defined, not in code', () => {
    const { references } = splitBlocks(
      null,
      'see [a][1], [^2] and [^x]\n\n[1]: https://example.com "T"\n\n> [B]: <http://b c>\n\n[^x]: the note\nlazy\n\n    more\n\n```\n[c]: https://example.com\n```\n[^2]: two\n',
    );
    expect([...references.labels.links.keys()]).toEqual(['1', 'B']);
    expect([...references.labels.numbers]).toEqual([
      ['2', 1],
      ['X', 2],
    ]);
    expect(references.footnotes).toEqual([
      { number: 1, text: 'two' },
      { number: 2, text: 'the note\nlazy\n\nmore' },
    ]);
  });

  it('cost nothing where there are none, and stay the same objects while the text grows', () => {
    const first = splitBlocks(null, 'a[1] text\n\nmore\n\n');
    expect(first.references).toBe(NO_REFERENCES);
    const noted = splitBlocks(first, 'a[1] text\n\nmore\n\n[1]: https://example.com\n\nand');
    const grown = splitBlocks(noted, `${noted.text} more`);
    expect(grown.references).toBe(noted.references);
  });

  it('reach a block as definitions before its text', () => {
    const { labels } = splitBlocks(null, '[a]: https://a.example\n\n[^n]: note\n').references;
    expect(definitionsFor('nothing here [x]', labels)).toBe('');
    expect(definitionsFor('see [it][A]', labels)).toBe('[a]: <https://a.example>\n\n');
    expect(definitionsFor('a[^n]', labels)).toBe('[^n]: 1\n\n[parley-end]: #\n\n');
  });
});

const line = fc.constantFrom(
  'a paragraph',
  '# heading',
  '- item',
  '  - nested',
  '1. first',
  '   of the same item',
  '    deep',
  '> quote',
  '```js',
  '```',
  '~~~',
  '```md',
  'Run:```sh',
  '- Run: ```sh',
  '   ```',
  '```then go on',
  '$$',
  'x = y $$ z',
  '\\[',
  '\\]',
  '\\begin{align}',
  '\\end{align}',
  '| a | b |',
  '| - | - |',
  '===',
  '---',
  '***',
  '<div>',
  '<!-- comment',
  '-->',
  '[a]: https://example.com',
  '[^1]: note',
  '[^2]: a long note',
  '\tcode',
  '',
  '',
  '   ',
);
const ending = fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', '\r', ' ');
const lines = fc.array(fc.tuple(line, ending), { maxLength: 40 }).map((parts) => parts.flat().join(''));
const marks = fc.string({ unit: fc.constantFrom(...'`$\\[]-*>| \n#1.~<!=a\t\n'), maxLength: 80 });
const torture = fc.oneof(lines, marks);

/** Splits the text again and again as it grows by the given steps in turn. */
function grow(text: string, steps: number[]): Split {
  let split = splitBlocks(null, '');
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    at += steps[turn % steps.length] ?? 1;
    split = splitBlocks(split, text.slice(0, at));
  }
  return split;
}

function costOfGrowing(before: string, added: string): number {
  let split = splitBlocks(null, before);
  let cost = 0;
  for (let at = 1; at <= added.length; at += 1) {
    split = splitBlocks(split, before + added.slice(0, at));
    cost += split.lexed;
  }
  return cost;
}
