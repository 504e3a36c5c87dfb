// A server with more than one endpoint, all of them the fake provider.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const LONG_NAME = 'a-model-whose-name-has-sixty-characters-and-says-almost-all-x';
/** Every fifth says what it is for, in a second line of the list. */
export const MANY = Array.from({ length: 200 }, (_, n) => (n % 5 === 3 ? `many-${n}-mini` : `many-${n}`));

/** Call once at the top of a file: returns the server's environment. */
export function severalEndpoints(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-yaml-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'parley.yaml');
  writeFileSync(path, `version: 1.0.7\nendpoints:\n  custom:\n${CUSTOM.map(entryOf).join('')}`);
  return { CONFIG_PATH: path };
}

const CUSTOM = [
  { name: 'Mistral', key: 'fake', models: ['mistral-tiny', 'mistral-large', 'claude-3-opus', LONG_NAME] },
  { name: 'Many', key: 'fake', models: MANY },
  { name: 'Mine', key: 'user_provided', models: ['mine-1'] },
];

function entryOf({ name, key, models }: (typeof CUSTOM)[number]): string {
  return `    - name: ${name}
      apiKey: ${key}
      baseURL: \${OPENAI_REVERSE_PROXY}
      models: { default: [${models.join(', ')}] }
`;
}
