// The one-way rules of ARCHITECTURE.md, read from the imports of every source.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { namesInFunctions } from './names-in-scope.ts';
import { orderRooms } from './room-order.ts';

interface Import {
  /** What it is imported from: a file of ours by its path from the root, or the name of a package. */
  to: string;
  kind: 'runtime' | 'type' | 'lazy';
}

const root = fileURLToPath(new URL('../..', import.meta.url));
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

  it('the web imports only types from the server', () => {
    const taken = edges(inside('web')).filter(({ to, kind }) => workspaceOf(to) === 'server' && kind !== 'type');
    expect(taken).toEqual([]);
  });

  it('every import of a workspace leads to a file', () => {
    expect(edges([...sources.keys()]).filter(({ to }) => isOurs(to) && !existsSync(join(root, to)))).toEqual([]);
  });

  it('no import cycle exists, types included', () => {
    expect(findCircle([...sources.keys()], ['runtime', 'type'])).toBeNull();
  });
});

describe('the schema', () => {
  /** From the bottom to the top: each folder may import itself and what stands before it. */
  const layers = [
    'files',
    'catalog',
    'speech',
    'pictures',
    'settings',
    'chat',
    'messages',
    'artifacts',
    'tools',
    'assistants',
    'convos',
    'generation',
    'search',
    'transfer',
    'accounts',
    'prompts',
    'skills',
    'schedules',
    'notices',
  ];
  /** The loose files, which every folder uses. */
  const base = ['ids.ts', 'clean-text.ts', 'nesting.ts', 'reasons.ts', 'json.ts', 'entries.ts'].map(
    (file) => `schema/src/${file}`,
  );

  it('every file has a layer', () => {
    expect(inside('schema').filter((file) => !base.includes(file) && layerOf(file) < 0)).toEqual([]);
  });

  it('imports run to lower layers only', () => {
    const upwards = edges(inside('schema')).filter(({ from, to }) => isOurs(to) && layerOf(to) > layerOf(from));
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('zod is its only dependency', () => {
    expect(strays(inside('schema'), (to) => isOurs(to) || to === 'zod')).toEqual([]);
  });

  it('it uses no clock, no randomness and no environment', () => {
    const impure = /\bprocess\.|\bDate\.now|new Date\(\)|Math\.random|\bfetch\(|\bconsole\./;
    expect(inside('schema').filter((file) => impure.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  /** The loose files are below the lowest folder. */
  function layerOf(file: string): number {
    return layers.indexOf(file.split('/')[2] ?? '');
  }
});

describe('the server', () => {
  /** From the bottom to the top: each domain may import itself and what stands before it. */
  const domains = [
    'catalog',
    'usage',
    'billing',
    'convos',
    'keys',
    'api-keys',
    'auth',
    'abuse',
    'messages',
    'search',
    'storage',
    'retrieval',
    'files',
    'folders',
    'settings',
    'memory',
    'tools',
    'interpreter',
    'texts',
    'skills',
    'plugins',
    'connections',
    'actions',
    'mcp',
    'agents',
    'assistants',
    'drafts',
    'presets',
    'prompts',
    'notices',
    'pictures',
    'research',
    'chat',
    'speech',
    'v1',
    'queue',
    'schedules',
    'forks',
    'trash',
    'transfer',
    'backup',
    'shares',
    'feed',
    'admin',
  ];
  /** What the domains stand on, and what calls them. */
  const others = ['platform', 'config', 'providers', 'generation', 'http', 'rest', 'commands'];
  const domainOf = (file: string) => domains.indexOf(/^server\/src\/([^/]+)\//.exec(file)?.[1] ?? '');
  /** Routers and HTTP routes serve requests with every domain they need. */
  const servesRequests = (file: string) => /\/(router|[a-z-]*routes?)\.ts$/.test(file);

  it('every folder is a domain or has rules of its own', () => {
    const folders = new Set(inside('server').map((file) => file.split('/')[2] ?? ''));
    const known = [...domains, ...others];
    expect([...folders].filter((folder) => !folder.endsWith('.ts') && !known.includes(folder))).toEqual([]);
    expect(known.filter((folder) => !folders.has(folder))).toEqual([]);
  });

  it('domains import lower domains only, types included', () => {
    const files = inside('server').filter((file) => domainOf(file) >= 0 && !servesRequests(file));
    const upwards = edges(files).filter(({ from, to }) => domainOf(to) > domainOf(from));
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  describe('its rooms', () => {
    // Folders and loose files.
    const roomOf = (file: string) => /^server\/src\/([^/]+)/.exec(file)?.[1] ?? '';
    const arrows = edges(inside('server')).map(({ from, to }) => [roomOf(from), roomOf(to)] as const);
    const { order, back, knot } = orderRooms(arrows.filter(([, to]) => to !== ''));

    it('have an order in which at most 6 pairs import upwards', () => {
      expect(back.length, `${back.join(' | ')} in ${order.join(' ')}`).toBeLessThanOrEqual(6);
    });

    it('import each other in circles of at most 6', () => {
      expect(knot.length, knot.join(' ')).toBeLessThanOrEqual(6);
    });

    it('take the services that they name, never all', () => {
      // The root has one type of everything.
      const rooms = inside('server').filter((file) => roomOf(file) !== file.split('/').at(-1));
      const isOfRoot = (to: string) => /^server\/src\/(services|open-[a-z]+)\.ts$/.test(to);
      expect(strays(rooms, (to) => !isOfRoot(to))).toEqual([]);
      expect(rooms.filter((file) => /\bDeps\[|[:<|&] ?Deps\b/.test(readFileSync(join(root, file), 'utf8')))).toEqual(
        [],
      );
    });

    it.each(['auth', 'files', 'http', 'keys', 'mcp'])('%s/ imports no file of the root', (room) => {
      expect(strays(inside(`server/src/${room}`), (to) => !/^server\/src\/[^/]+$/.test(to))).toEqual([]);
    });
  });

  /** Names the types of all that can be configured. */
  const configTree = 'server/src/config/config.ts';
  const parts = inside('server/src/config/').filter((file) => file !== configTree);

  it('the configuration tree is types', () => {
    expect(edges([configTree]).filter(({ kind }) => kind !== 'type')).toEqual([]);
  });

  it('a domain that others build on imports no domain', () => {
    const foundations = [...['platform', 'generation'].flatMap((folder) => inside(`server/src/${folder}`)), ...parts];
    expect(strays(foundations, (to) => domainOf(to) < 0)).toEqual([]);
  });

  it('generation/ imports no conversation, no database and no provider', () => {
    const folder = 'server/src/generation/';
    expect(strays(inside(folder), (to) => to.startsWith(folder) || to.startsWith('schema/') || isOfNode(to))).toEqual(
      [],
    );
  });

  it('no router imports a router, except the root router', () => {
    const routers = inside('server').filter((file) => /^server\/src\/[^/]+\/router\.ts$/.test(file));
    expect(routers.length).toBeGreaterThan(5);
    expect(strays(routers, (to) => !to.endsWith('router.ts'))).toEqual([]);
  });

  it('providers import only shared protocol code', () => {
    const shared = [
      'generation/delta.ts',
      'platform/errors.ts',
      'platform/deadline.ts',
      'platform/egress.ts',
      'platform/secrets.ts',
      'platform/outbound-proxy.ts',
      'platform/undici.ts',
      'platform/event-loop.ts',
    ].map((file) => `server/src/${file}`);
    const isAllowed = (to: string) =>
      !isOurs(to) ||
      ['schema/', 'server/src/providers/', 'server/src/config/'].some((folder) => to.startsWith(folder)) ||
      shared.includes(to);
    expect(inside('server/src/providers/').length).toBeGreaterThan(20);
    expect(strays(inside('server/src/providers/'), isAllowed)).toEqual([]);
  });

  it('only the list of providers and the configuration tree import every provider', () => {
    const lists = ['server/src/providers/providers.ts', 'server/src/providers/endpoints-config.ts'];
    const isInList = (to: string) => lists.includes(to);
    const folders = inside('server/src/providers/').filter((file) => !lists.includes(file));
    expect(strays([...folders, ...inside('server/src/catalog/')], (to) => !isInList(to))).toEqual([]);
  });

  it('the parts of the configuration import no provider and no endpoint', () => {
    const isAllowed = (to: string) => !/^server\/src\/(providers|catalog)\//.test(to);
    expect(strays(parts, isAllowed)).toEqual([]);
  });

  it('schema, configuration, providers and catalog have no import cycle, types included', () => {
    const folders = ['schema/', 'server/src/config/', 'server/src/providers/', 'server/src/catalog/'];
    // A router is handed everything there is, so what it reaches is not of these folders.
    const files = folders.flatMap(inside).filter((file) => !file.endsWith('/router.ts'));
    expect(findCircle(files, ['runtime', 'type'])).toBeNull();
  });

  it('the clients of providers and of the mail server are loaded on first use', () => {
    const clients = [
      'openai',
      '@anthropic-ai/sdk',
      '@google/generative-ai',
      'nodemailer',
      'nodemailer/lib/well-known',
    ].concat('@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio');
    const loaded = edges(inside('server')).filter(({ to, kind }) => clients.includes(to) && kind === 'runtime');
    expect(loaded).toEqual([]);
  });

  it('REST handlers call procedures, never services', () => {
    const shared = [
      'router.ts',
      'http/trpc.ts',
      'api-keys/key-context.ts',
      'api-keys/principal.ts',
      'http/openapi/mount-document.ts',
      'http/openapi/openapi-document.ts',
      'platform/requests/http-env.ts',
      'platform/requests/request-services.ts',
      'http/long-responses.ts',
      'http/web-stream.ts',
      'http/request-body.ts',
      'platform/deadline.ts',
      'platform/derived-id.ts',
      'platform/errors.ts',
      'platform/log-error.ts',
      'platform/reasons.ts',
      'plugins/icon.ts',
      'plugins/manifest.ts',
    ].map((file) => `server/src/${file}`);
    const isAllowed = (to: string) =>
      !isOurs(to) || to.startsWith('schema/') || to.startsWith('server/src/rest/') || shared.includes(to);
    expect(strays(inside('server/src/rest/'), isAllowed)).toEqual([]);
  });

  it('requests that follow no redirect end with their signal', () => {
    // Such a `fetch` of Node loses its signal; the guard has one of its own.
    const isFaulty = (file: string) => /redirect: 'error'/.test(readFileSync(join(root, file), 'utf8'));
    const others = ['server/src/platform/deadline.ts', 'server/src/platform/egress.ts'];
    expect(inside('server').filter((file) => isFaulty(file) && !others.includes(file))).toEqual([]);
  });

  it('one file imports the session library, and one workspace the database driver', () => {
    expect(importersOf('lucia')).toEqual(['server/src/auth/session/sessions.ts']);
    expect(importersOf('postgres').filter((file) => !file.startsWith('db/'))).toEqual([]);
  });
});

describe('sizes outside the web app', () => {
  const files = ['schema', 'db', 'server', 'scripts'].flatMap(inside);
  /** What the demo answers. */
  const data = ['server/src/providers/demo/answers.ts'];

  it('a file has at most 350 lines', () => {
    expect(files.filter((file) => !data.includes(file) && linesOf(file).length > 350)).toEqual([]);
  });

  it('a function has at most 80 lines', () => {
    expect(files.flatMap((file) => longFunctions(file, 80))).toEqual([]);
  });

  it('a folder has at most 20 files', () => {
    const folders = new Map<string, number>();
    for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    expect([...folders].filter(([, count]) => count > 20)).toEqual([]);
  });
});

describe('what a reader holds in mind', () => {
  const files = [...sources.keys()].filter((file) => !file.endsWith('.mjs'));

  it('is at most 20 names that a function binds', () => {
    const many = files.flatMap((file) =>
      namesInFunctions(file, readFileSync(join(root, file), 'utf8'))
        .filter(({ bound }) => bound > 20)
        .map(({ name, bound }) => `${file} ${name} ${bound}`),
    );
    expect(many).toEqual([]);
  });

  it('is at most 20 modules of ours that a file imports', () => {
    const many = files.flatMap((file) => {
      const ours = new Set(edges([file]).flatMap(({ to, kind }) => (isOurs(to) && kind !== 'lazy' ? to : [])));
      return ours.size > 20 ? `${file} ${ours.size}` : [];
    });
    expect(many).toEqual([]);
  });
});

describe('the tests', () => {
  it('have at most 20 files in a folder', () => {
    const folders = new Map<string, number>();
    for (const file of readdirSync(join(root, 'tests'), { recursive: true }).map(String)) {
      if (!/\.tsx?$/.test(file) || file.includes('node_modules')) continue;
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    }
    expect([...folders].filter(([, count]) => count > 20)).toEqual([]);
  });
});

describe('the web app', () => {
  /** Loaded when a person first types into a form: the rules of the forms, and with them zod. */
  const formRules = ['web/src/auth/field-errors.ts', 'web/src/tools/form-rules.ts'];

  it('loads no schema library with its first screens', () => {
    const others = inside('web').filter((file) => !formRules.includes(file));
    const carriers = others.filter((file) => reach(file).has('zod'));
    expect(carriers).toEqual([]);
    for (const file of formRules) expect(reach(file)).toContain('zod');
  });

  it.each(formRules)('loads the rules of its forms lazily: %s', (rules) => {
    const kinds = edges(inside('web'))
      .filter(({ to }) => to === rules)
      .map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'runtime')).toEqual([]);
    expect(kinds).toContain('lazy');
  });
});

describe('the layers of the web app', () => {
  /** From the bottom to the top: each may import itself and what stands before it. Lazy imports may go up. */
  const layers = [
    ['lib/', 'theme.ts', 'fallback-language.ts'],
    ['stored-settings.ts'],
    ['languages.ts', 'i18n.ts'],
    ['locales/', 'catalog/'],
    ['errors/'],
    ['session/'],
    ['trpc.ts'],
    ['account-settings.ts'],
    ['startup.ts'],
    ['ui/'],
    ['dialogs/', 'feed/', 'slots/', 'content/'],
    ['layout/', 'keys/'],
    ['endpoints/', 'params/', 'import/', 'files/', 'plugins/', 'usage/'],
    ['presets/', 'speech/', 'research/'],
    ['chat/'],
    ['artifacts/'],
    ['compare/', 'pictures/'],
    ['find/'],
    ['side-panel/', 'convos/', 'export/', 'shares/', 'auth/'],
    ['folders/', 'tools/', 'notices/'],
    ['library/', 'search/', 'settings/', 'assistants/', 'temporary/', 'admin/', 'prompts/', 'schedules/'],
    ['projects/'],
    ['palette/'],
    ['mentions/'],
    ['app/'],
    ['main.tsx'],
  ];
  const inWeb = () => inside('web').filter((file) => file.startsWith('web/src/'));

  it('every file has a layer', () => {
    expect(inWeb().filter((file) => layerOf(file) < 0)).toEqual([]);
  });

  it('imports run to lower layers only', () => {
    const upwards = edges(inWeb()).filter(({ from, to, kind }) => kind !== 'lazy' && !isDownwards(from, to));
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('there is no import cycle, types included', () => {
    expect(findCircle(inWeb(), ['runtime', 'type'], 'web/src/')).toBeNull();
  });

  it('a folder has at most 20 files', () => {
    const folders = new Map<string, number>();
    for (const file of readdirSync(join(root, 'web/src'), { recursive: true }).map(String)) {
      if (!/\.(tsx?|css)$/.test(file) || file.startsWith('locales')) continue;
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    }
    expect([...folders].filter(([, count]) => count > 20)).toEqual([]);
  });

  it('files have at most 350 lines and functions at most 80', () => {
    const files = inWeb();
    expect(files.filter((file) => linesOf(file).length > 350)).toEqual([]);
    expect(files.flatMap((file) => longFunctions(file, 80))).toEqual([]);
  });

  function layerOf(file: string): number {
    const path = file.replace('web/src/', '');
    return layers.findIndex((layer) => layer.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one)));
  }

  function isDownwards(from: string, to: string): boolean {
    if (!/^web\/src\/.*\.tsx?$/.test(to)) return true;
    const isSameFolder = from.split('/')[2] === to.split('/')[2];
    return isSameFolder || layerOf(to) < layerOf(from);
  }
});

describe('a name', () => {
  it('says what it maps if it is exported: at most 40 end in "Of"', () => {
    const named = /^export (?:async )?(?:function\*?|const|let) \w+Of\b/gm;
    const product = ['schema', 'db', 'server', 'web'].flatMap(inside);
    const found = product.flatMap((file) => readFileSync(join(root, file), 'utf8').match(named) ?? []);
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(40);
  });
});

describe('a file name', () => {
  it('describes its content', () => {
    const vague = /(^|\/)(index|utils?|helpers|common|misc|shared)\.tsx?$/;
    expect([...sources.keys()].filter((file) => vague.test(file))).toEqual([]);
  });
});

function readSources(): Map<string, Import[]> {
  const files = ['schema/src', 'db/src', 'server/src', 'web/src', 'scripts']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))))
    .filter((file) => /(?<!\.d)\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules'));
  return new Map(files.map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const told = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]/gm)];
  const bare = [...text.matchAll(/^import\s+['"]([^'"]+)['"]/gm)];
  const lazy = [...text.matchAll(/(?<!typeof )\bimport\(\s*['"]([^'"]+)['"]\s*\)(?!\.[A-Z])/g)];
  const types = [
    ...text.matchAll(/\btypeof import\(\s*['"]([^'"]+)['"]\s*\)|\bimport\(\s*['"]([^'"]+)['"]\s*\)\.[A-Z]/g),
  ];
  const at = (specifier = '') => resolveFrom(file, specifier);
  return [
    ...told.map(([, type, specifier]) => ({
      to: at(specifier),
      kind: type ? ('type' as const) : ('runtime' as const),
    })),
    ...bare.map(([, specifier]) => ({ to: at(specifier), kind: 'runtime' as const })),
    ...types.map(([, one, other]) => ({ to: at(one ?? other), kind: 'type' as const })),
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

/**
 * The first circle of imports, inside `folder`, that begins at one of these files; at run time unless set otherwise.
 */
function findCircle(
  files: Iterable<string> = sources.keys(),
  kinds: readonly Import['kind'][] = ['runtime'],
  folder = '',
): string[] | null {
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { to, kind } of sources.get(file) ?? []) {
      const circle = kinds.includes(kind) && to.startsWith(folder) ? walk(to, [...path, file]) : null;
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of files) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return null;
}

function linesOf(file: string): string[] {
  return readFileSync(join(root, file), 'utf8').trimEnd().split('\n');
}

interface LongFunction {
  file: string;
  name: string;
  lines: number;
}

/** Functions of any form with more lines than `most`: declared, assigned, methods and callbacks. */
function longFunctions(file: string, most: number): LongFunction[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found: LongFunction[] = [];
  const open: [node: unknown, name: string][] = [[parseSync(file, text).program, '']];
  while (open.length > 0) {
    const [node, around] = open.pop() ?? [];
    if (typeof node !== 'object' || node === null || node instanceof RegExp) continue;
    const { type, start, end, id, key, body } = node as SyntaxNode;
    const name = id?.name ?? key?.name ?? around ?? '';
    const lines = body && /Function/.test(type ?? '') ? text.slice(start, end).split('\n').length : 0;
    if (lines > most) found.push({ file, name, lines });
    open.push(...Object.values(node).map((child): [unknown, string] => [child, name]));
  }
  return found;
}

/** What `longFunctions` reads of a node. */
interface SyntaxNode {
  type?: string;
  start?: number;
  end?: number;
  id?: { name?: string } | null;
  key?: { name?: string };
  body?: unknown;
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
