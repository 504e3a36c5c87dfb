// A REST path is one row, which names its handler: no other file of the server has to know the path.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@parley/server/rest/routes';
import { expect, it } from 'vitest';

const sources = join(import.meta.dirname, '../../../server/src');
/** Uploads are streams and stand beside the table, and beside its rows in the document. */
const BESIDE = ['files/upload/upload-route.ts', 'rest/openapi/file-paths.ts'];
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(sources, file), 'utf8') }));

it('each REST path stands in its row only, once for each method', () => {
  const rows = routes.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(rows).size).toBe(rows.length);
  const strays = routes.flatMap(({ path }) =>
    files.filter(({ text }) => text.includes(`'${path}'`)).map(({ file }) => `${path} in ${file}`),
  );
  const others = [...new Set(strays)].filter((stray) => !/ in rest\/routes\/[a-z-]+\.ts$/.test(stray));
  expect(others.toSorted()).toEqual(BESIDE.map((file) => `/api/files in ${file}`));
});
