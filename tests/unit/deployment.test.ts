// Files that only container tools, npm and GitHub read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@parley/schema/catalog/startup';
import { expect, it } from 'vitest';
import { minVersion, satisfies } from 'semver';
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
  expect(Object.keys(volumes)).toEqual(['data', 'postgres', 'bucket']);
});

it('the bucket of compose.yaml is the one that docs/operate.md sets up, with the same keys', () => {
  const { bucket } = parse(read('compose.yaml')).services;
  const settings = new Map(
    [...read('docs/operate.md').matchAll(/^(S3_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(bucket).toMatchObject({ profiles: ['bucket'], image: expect.stringMatching(/:v\d+\.\d+\.\d+$/) });
  const [root] = bucket.command.slice(-1);
  expect(bucket.volumes).toEqual([`bucket:${root}/${settings.get('S3_BUCKET')}`]);
  expect(settings.get('S3_ENDPOINT')).toMatch(/^http:\/\/bucket:\d+$/);
  const keys = Object.values<string>(bucket.environment).map((value) => /^\$\{(\w+):-\}$/.exec(value)?.[1]);
  expect(keys.filter((name) => !settings.has(name))).toEqual([]);
});

it('the image is built on the version of Node of .nvmrc, and CI tries that one and the oldest that packages accept', () => {
  const version = read('.nvmrc').trim();
  const dockerfile = read('Dockerfile');
  expect(/^ARG NODE=(.+)$/m.exec(dockerfile)?.[1]).toBe(version);
  expect(dockerfile.match(/^FROM .+$/gm)).toEqual([
    'FROM node:${NODE}-bookworm-slim AS build',
    'FROM node:${NODE}-bookworm-slim',
  ]);
  const oldest = JSON.parse(read('package.json')).engines.node.replace('>=', '');
  const { checks, ...others } = parse(read('.github/workflows/ci.yml')).jobs;
  expect(checks.strategy.matrix.node).toEqual([oldest, version]);
  for (const workflow of [others, parse(read('.github/workflows/nightly.yml')).jobs])
    expect(JSON.stringify(workflow)).not.toContain('"node-version"');
});

/** What they need of a newer Node is brought along; tests on the oldest use them. */
const OF_NEWER_NODE = ['node_modules/pdfjs-dist'];

it('each package runs on the oldest version of Node that is supported', () => {
  const { engines } = JSON.parse(read('package.json'));
  const oldest = minVersion(engines.node) ?? '';
  const { packages } = JSON.parse(read('package-lock.json'));
  const refusing = Object.entries<{ engines?: { node?: string } }>(packages)
    .filter(([, { engines: own }]) => own?.node && !satisfies(oldest, own.node))
    .map(([path]) => path);
  expect(refusing).toEqual(OF_NEWER_NODE);
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
