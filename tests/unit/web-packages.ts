// Packages of the web that consist of hundreds of files. Every file of the web's unit tests loads them anew, and finding
// and linking so many files costs more than what they do: Mantine becomes one file, and of the icons only those that
// are used are loaded.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

const root = new URL('../../', import.meta.url).pathname;

/** What must be one and the same for every package. */
const SHARED = ['react', 'react-dom', 'react/*', 'react-dom/*', '@mantine/hooks'];

/** Packages in CommonJS that ask for React. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

export function webPackages(): Plugin {
  let mantine: Promise<string> | undefined;
  return {
    name: 'web-packages',
    enforce: 'pre',
    resolveId(id) {
      if (id === '@mantine/core') return (mantine ??= bundleMantine());
    },
    transform: {
      filter: { code: '@tabler/icons-react' },
      handler: (code) => ({ code: importIconsOneByOne(code), map: null }),
    },
  };
}

/** The path of the bundle, which is made once for the packages that are installed. */
async function bundleMantine(): Promise<string> {
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const folder = join(root, 'node_modules/.cache/parley-tests');
  const bundle = join(folder, `mantine-core-${lock.digest('hex').slice(0, 16)}.mjs`);
  if (existsSync(bundle)) return bundle;
  const unfinished = join(folder, `unfinished-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, 'node_modules/@mantine/core/esm/index.mjs')],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: SHARED,
    banner: { js: BANNER },
  });
  // Another run may read it at any time.
  renameSync(unfinished, bundle);
  return bundle;
}

const ICONS = /import \{([^}]*)\} from '@tabler\/icons-react';/g;

/** Types stay where they are. The lines stay, too, so that a failure names the right one. */
function importIconsOneByOne(code: string): string {
  return code.replaceAll(ICONS, (statement, names: string) => {
    const imports = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^Icon\w+$/.test(name))
      .map((name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs';`);
    return imports.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
  });
}
