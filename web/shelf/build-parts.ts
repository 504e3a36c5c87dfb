// Builds the parts of the shelf, the libraries that programs of answers may use, and the program that finds them in their
// frame. Each part is one script that shares nothing with the app, since the frame is nobody's origin; its name has its
// hash, so that it can be kept for ever.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { PART_NAMES, type PartName } from '../../schema/src/artifacts/shelf/libraries.ts';
import { ENTRIES } from './entries.ts';

/** Files by their path below the root of the site. */
export type ShelfFiles = ReadonlyMap<string, string>;

const folder = import.meta.dirname;
const root = join(folder, '../..');
const require = createRequire(import.meta.url);
/** What one app has once, whichever part asks for it. */
const SHARED = /^react(?:-dom)?(?:\/(?:client|jsx-runtime))?$/;

export async function buildShelf(): Promise<ShelfFiles> {
  const files = new Map<string, string>();
  const places: Partial<Record<PartName, string>> = {};
  const built = await Promise.all(PART_NAMES.map(async (name) => ({ name, code: await buildPart(name) })));
  for (const { name, code } of built) {
    const path = `artifact/parts/${name}-${hashOf(code).slice(0, 7)}.js`;
    files.set(path, code);
    places[name] = `/${path}`;
  }
  files.set('artifact/parts/p5-license.txt', readFileSync(require.resolve('p5/license.txt'), 'utf8'));
  return files.set('artifact/shelf.js', await buildFinder(places));
}

/** As it was built before from the same sources and packages, or new. */
async function buildPart(name: PartName): Promise<string> {
  // p5 is under the LGPL: it stays a file of its own, whole and unchanged, with its notice.
  if (name === 'p5') return asPart('p5', 'p5/lib/p5.min.js', 'window.p5');
  if (name === 'mermaid') return asPart('mermaid', 'mermaid/dist/mermaid.min.js', '{ default: window.mermaid }');
  const cached = join(root, 'node_modules/.cache/parley-shelf', `${name}-${sourcesHash(name)}.js`);
  try {
    return readFileSync(cached, 'utf8');
  } catch {
    const code = await bundle(
      { stdin: { contents: ENTRIES[name], resolveDir: folder, sourcefile: `${name}.js` } },
      name,
    );
    mkdirSync(join(cached, '..'), { recursive: true });
    writeFileSync(`${cached}.${process.pid}`, code);
    // Another build may read it at any time.
    renameSync(`${cached}.${process.pid}`, cached);
    return code;
  }
}

/** A file of a package as it is, followed by what makes it a module. */
function asPart(name: PartName, file: string, module: string): string {
  const code = readFileSync(require.resolve(file), 'utf8');
  return `${code}\n;((window.artifactParts ??= {}).modules ??= {}).${name} = ${module};\n`;
}

function buildFinder(places: Partial<Record<PartName, string>>): Promise<string> {
  return bundle({
    entryPoints: [join(folder, 'frame/open-shelf.ts')],
    define: { SHELF_PLACES: JSON.stringify(places) },
  });
}

async function bundle(options: BuildOptions, name?: PartName): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    legalComments: 'eof',
    logLevel: 'error',
    plugins: name === 'react' || name === undefined ? [] : [sharedReact],
    ...options,
    define: { 'process.env.NODE_ENV': '"production"', ...options.define },
  });
  const [file] = outputFiles ?? [];
  if (!file) throw new Error(`${name} was not built`);
  return file.text;
}

/** The part of React, which is loaded before. */
const sharedReact: Plugin = {
  name: 'shared-react',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: SHARED }, ({ path }) => ({ path, namespace: 'shared-react' }));
    onLoad({ filter: /./, namespace: 'shared-react' }, ({ path }) => ({
      contents: `module.exports = window.artifactParts.modules[${JSON.stringify(path)}];`,
    }));
  },
};

/** Of what a part is made of: its entry, the packages, and sources of ours. */
function sourcesHash(name: keyof typeof ENTRIES): string {
  const sources = name === 'ui' ? readdirSync(join(folder, 'ui')).toSorted() : [];
  const files = ['../../package-lock.json', 'build-parts.ts', ...sources.map((file) => `ui/${file}`)];
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  return hashOf([ENTRIES[name], ...texts].join('\0')).slice(0, 16);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
