// Every pattern against 20 kB of what it matches almost: linear work is done in a fraction of a millisecond, quadratic
// work takes at least hundreds of them.
import { createContext, Script } from 'node:vm';
import { expect, it } from 'vitest';
import { listPatterns, nameOfPattern, type Pattern } from '../../support/patterns.ts';

const LENGTH = 20_000;
const BOUND_MS = 20;
/** The engine is interrupted after this, since exponential work would never end. */
const LIMIT_MS = 1000;
/** What stands for the classes of characters, and what most patterns do not end with. */
const COMMON = [' ', '\t', '\n', '\r', 'a', '1', '.', '-', '"', '<', '[', '`', 'é', '漢'];
const ENDS = ['', '\u0000', 'a!', '\n!'];
/** Quadratic: on the operator's own configuration, which tests/unit/patterns.test.ts lists; on 4,000 characters. */
const EXEMPT = [
  'server/src/config/yaml/yaml-schema.ts /^[^\\s@/:]+\\.[^\\s@/:]+$/',
  'web/src/lib/plain-excerpt.ts /(\\*{1,3}|`+)(?=\\S)([^\\n]*?\\S)\\1/g',
  'web/src/lib/plain-excerpt.ts /(\\*{1,3}|~~|`+|\\$\\$)(?=\\S)([^\\n]*?\\S)\\1/g',
];

const patterns = listPatterns().map((pattern) => [nameOfPattern(pattern), pattern] as const);

it.each(patterns.filter(([name]) => !EXEMPT.includes(name)))('%s', (_name, pattern) => {
  expect(findSlowText(pattern)).toBeNull();
});

it.each([
  ['quadratic', '\\/+$'],
  ['quadratic where it is anchored', '^[^\\s@/:]+\\.[^\\s@/:]+$'],
  ['exponential', '^(?:a|a)+$'],
])('notices a pattern that is %s', (_growth, source) => {
  expect(findSlowText({ file: '', source, flags: '' })).not.toBeNull();
});

/** The first text, as its repeated part and its end, that takes too long. */
function findSlowText(pattern: Pattern): [pump: string, end: string] | null {
  const test = createTest(pattern);
  for (const pump of pumpsOf(pattern)) {
    const body = pump.repeat(Math.ceil(LENGTH / pump.length));
    for (const end of ENDS) {
      // The engine compiles a pattern when it has run some, and memory is tidied at times: the best of three counts.
      if ([1, 2, 3].every(() => cpuMsOf(() => test(body + end)) > BOUND_MS)) return [pump, end];
    }
  }
  return null;
}

function createTest({ source, flags }: Pattern): (text: string) => void {
  const context = createContext({ regex: new RegExp(source, flags.replace(/[gy]/g, '')), text: '' });
  const script = new Script('regex.test(text)');
  return (text) => {
    context.text = text;
    try {
      script.runInContext(context, { timeout: LIMIT_MS });
    } catch {
      // Interrupted: the time it took shows it.
    }
  };
}

/** Single characters, pairs of them and the words of the pattern itself. */
function pumpsOf({ source }: Pattern): string[] {
  const words = source.match(/[A-Za-z\d_@:/<-]{2,}/g) ?? [];
  const own = [...new Set(source.replace(/\\[a-zA-Z]/g, ''))];
  const characters = [...new Set([...own.slice(0, 16), ...COMMON])];
  const pairs = own.slice(0, 12).flatMap((one) => characters.map((other) => one + other));
  const joined = words.flatMap((word) => [word, ` ${word}`, `\n${word}`, `${word} `, `${word}:`, `${word}"`]);
  return [...characters, ...pairs, ...joined];
}

/** A busy machine makes work late, not more. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1000;
}
