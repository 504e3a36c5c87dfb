// In every unit test, an unexpected console warning or error is a failure.
import { afterAll, afterEach, expect } from 'vitest';

const said: string[] = [];
const { error, warn } = console;

// A test that expects one replaces it with a spy.
for (const [level, write] of Object.entries({ error, warn }))
  Object.assign(console, {
    [level](...words: unknown[]) {
      said.push(words.map(String).join(' '));
      write.apply(console, words);
    },
  });

afterEach(() => expect(said.splice(0), 'said in the console').toEqual([]));
afterAll(() => void Object.assign(console, { error, warn }));
