// The one-way rules of ARCHITECTURE.md, read from the imports of every source.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Import {
  /** What it is imported from: a file of ours by its path from the root, or the name of a package. */
  to: string;
  kind: 'runtime' | 'type' | 'lazy';
}

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = readSources();

describe('imports run one way', () => {
  it.each([
    ['schema', ['schema']],
    ['db', ['schema', 'db']],
    ['server', ['schema', 'db', 'server']],
    ['scripts', ['schema', 'db', 'server', 'scripts']],
    ['web', ['schema', 'web', 'server']],
  ])('%s imports only %s', (workspace, allowed) => {
    expect(strays(inside(workspace), (to) => !isOurs(to) || allowed.includes(workspaceOf(to)))).toEqual([]);
  });

  it('the web imports nothing but types from the server', () => {
    const taken = edges(inside('web')).filter(({ to, kind }) => workspaceOf(to) === 'server' && kind !== 'type');
    expect(taken).toEqual([]);
  });

  it('every import of ours leads to a file', () => {
    expect(edges([...sources.keys()]).filter(({ to }) => isOurs(to) && !existsSync(join(root, to)))).toEqual([]);
  });

  it('no source runs in a circle', () => {
    expect(findCircle()).toBeNull();
  });
});

describe('the schema', () => {
  it('needs zod and nothing else', () => {
    expect(strays(inside('schema'), (to) => isOurs(to) || to === 'zod')).toEqual([]);
  });

  it('knows no clock, no chance and no environment', () => {
    const impure = /\bprocess\.|\bDate\.now|new Date\(\)|Math\.random|\bfetch\(|\bconsole\./;
    expect(inside('schema').filter((file) => impure.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });
});

describe('in the server', () => {
  it('the generation room knows no conversation, no database and no provider', () => {
    const room = 'server/src/generation/';
    expect(strays(inside(room), (to) => to.startsWith(room) || to.startsWith('schema/') || isOfNode(to))).toEqual([]);
  });

  it('no router imports a router, but for the one that holds them all', () => {
    const routers = inside('server').filter((file) => /^server\/src\/[^/]+\/router\.ts$/.test(file));
    expect(routers.length).toBeGreaterThan(5);
    expect(strays(routers, (to) => !to.endsWith('router.ts'))).toEqual([]);
  });

  it('a provider translates and does nothing else', () => {
    const entries = edges(['server/src/endpoints/providers.ts'])
      .filter(({ kind }) => kind === 'runtime')
      .map(({ to }) => to);
    const shared = [
      'provider.ts',
      'status.ts',
      'failure.ts',
      'plain-wire.ts',
      'going-on.ts',
      'cumulative.ts',
      'transcript.ts',
    ].map((file) => `endpoints/${file}`);
    const allowed = [...shared, 'generation/delta.ts', 'errors.ts'].map((file) => `server/src/${file}`);
    expect(entries.length).toBeGreaterThan(3);
    for (const entry of entries) {
      const folder = `${entry.replace('.ts', '')}/`;
      const isAllowed = (to: string) =>
        !isOurs(to) || to.startsWith('schema/') || to.startsWith(folder) || allowed.includes(to);
      expect(strays([entry, ...inside(folder)], isAllowed)).toEqual([]);
    }
  });

  it('the clients of the providers and of the mail server are loaded when they are first used', () => {
    const clients = ['openai', '@anthropic-ai/sdk', '@google/generative-ai', 'nodemailer', 'nodemailer/lib/well-known'];
    const loaded = edges(inside('server')).filter(({ to, kind }) => clients.includes(to) && kind === 'runtime');
    expect(loaded).toEqual([]);
  });

  it('the REST edge speaks to procedures, never to rooms', () => {
    const doors = ['router', 'trpc', 'errors', 'context', 'deps', 'report', 'http', 'derived-id'];
    const isDoor = (to: string) => doors.includes(to.replace('server/src/', '').replace('.ts', ''));
    const isAllowed = (to: string) =>
      !isOurs(to) || to.startsWith('schema/') || to.startsWith('server/src/rest/') || isDoor(to);
    expect(strays(inside('server/src/rest/'), isAllowed)).toEqual([]);
  });

  it('one file knows how sessions are kept, and one workspace how the database is reached', () => {
    expect(importersOf('lucia')).toEqual(['server/src/auth/sessions.ts']);
    expect(importersOf('postgres').filter((file) => !file.startsWith('db/'))).toEqual([]);
  });
});

describe('the web app', () => {
  /** Loaded when a person first types into a form: the rules of the forms, and with them zod. */
  const formRules = 'web/src/auth/field-errors.ts';

  it('loads no schema library with its first screens', () => {
    const others = inside('web').filter((file) => file !== formRules);
    const carriers = others.filter((file) => reach(file).has('zod'));
    expect(carriers).toEqual([]);
    expect(reach(formRules)).toContain('zod');
  });

  it('loads the rules of its forms lazily', () => {
    const kinds = edges(inside('web'))
      .filter(({ to }) => to === formRules)
      .map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'runtime')).toEqual([]);
    expect(kinds).toContain('lazy');
  });
});

describe('a file', () => {
  it('is named after what it does', () => {
    const vague = /(^|\/)(index|utils?|helpers|common|misc|shared)\.tsx?$/;
    expect([...sources.keys()].filter((file) => vague.test(file))).toEqual([]);
  });
});

function readSources(): Map<string, Import[]> {
  const files = ['schema/src', 'db/src', 'server/src', 'web/src', 'scripts']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('node_modules'));
  return new Map(files.map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const told = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]/gm)];
  const bare = [...text.matchAll(/^import\s+['"]([^'"]+)['"]/gm)];
  const lazy = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)];
  const at = (specifier = '') => resolveFrom(file, specifier);
  return [
    ...told.map(([, type, specifier]) => ({
      to: at(specifier),
      kind: type ? ('type' as const) : ('runtime' as const),
    })),
    ...bare.map(([, specifier]) => ({ to: at(specifier), kind: 'runtime' as const })),
    ...lazy.map(([, specifier]) => ({ to: at(specifier), kind: 'lazy' as const })),
  ];
}

function resolveFrom(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(file), specifier));
  const [, workspace = '', path = ''] = /^@parley\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (workspace === '') return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  return workspace === 'scripts' ? `scripts/${path}.ts` : `${workspace}/src/${path}.ts`;
}

function inside(folder: string): string[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return [...sources.keys()].filter((file) => file.startsWith(prefix));
}

function edges(files: readonly string[]) {
  return files.flatMap((from) => (sources.get(from) ?? []).map((one) => ({ from, ...one })));
}

/** The imports that are not allowed, as sentences. */
function strays(files: readonly string[], isAllowed: (to: string) => boolean): string[] {
  const found = edges(files).filter(({ to }) => !isAllowed(to));
  return found.map(({ from, to }) => `${from} imports ${to}`);
}

function importersOf(name: string): string[] {
  const importers = edges([...sources.keys()]).filter(({ to, kind }) => to === name && kind !== 'type');
  return [...new Set(importers.map(({ from }) => from))];
}

/** Everything that is loaded together with a file. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  for (const { to, kind } of sources.get(file) ?? []) {
    if (kind !== 'runtime' || seen.has(to)) continue;
    seen.add(to);
    reach(to, seen);
  }
  return seen;
}

/** The first circle of imports that exist at run time. */
function findCircle(): string[] | null {
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { to, kind } of sources.get(file) ?? []) {
      const circle = kind === 'runtime' ? walk(to, [...path, file]) : null;
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of sources.keys()) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return null;
}

function isOurs(to: string): boolean {
  return /^(schema|db|server|web|scripts|tests)\//.test(to);
}

function isOfNode(to: string): boolean {
  return to.startsWith('node:');
}

function workspaceOf(to: string): string {
  return isOurs(to) ? (to.split('/')[0] ?? '') : '';
}
