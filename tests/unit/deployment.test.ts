// Files that only container tools, npm and GitHub read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@parley/schema/catalog/startup';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).map((name) => `.github/ISSUE_TEMPLATE/${name}`);

it('compose.yaml has its data and its port where the image has them', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const dockerfile = read('Dockerfile');
  expect(services.parley.volumes).toEqual([`data:${/^VOLUME (\S+)$/m.exec(dockerfile)?.[1]}`]);
  const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1];
  expect(services.parley.ports).toEqual([`${port}:${port}`]);
  expect(services.parley.profiles).toBeUndefined();
  expect(Object.keys(volumes)).toEqual(['data', 'postgres']);
});

it.each(forms)('the form %s can be read, and asks something', (form) => {
  expect(parse(read(form))).toMatchObject({
    name: expect.any(String),
    body: [{ type: 'textarea' }, ...parse(read(form)).body.slice(1)],
  });
});

it('dependencies of npm, of the image and of the workflows are updated', () => {
  const { updates } = parse(read('.github/dependabot.yml'));
  const kinds = updates.map((update: Record<string, string>) => update['package-ecosystem']);
  expect(kinds).toEqual(['npm', 'docker', 'github-actions']);
});

it('the version is the same in every workspace, the lock file and the newest section of the changelog', () => {
  const { version, workspaces } = JSON.parse(read('package.json'));
  for (const workspace of workspaces) expect(JSON.parse(read(`${workspace}/package.json`)).version).toBe(version);
  expect(JSON.parse(read('package-lock.json')).version).toBe(version);
  expect(/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
  expect(VERSION).toBe(version);
});
