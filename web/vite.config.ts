// The build of the web app: one entry, lazy chunks, and no style or script that the page would have to inline.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { artifactParts } from './artifact-parts.ts';
import { pdfParts } from './pdf-parts.ts';
import { chunkGroups, isChat, isMarkdown, isThread } from './chunk-groups.ts';
import { sizes, themeCss } from './src/theme.ts';

const SERVER = process.env.PARLEY_SERVER ?? 'http://localhost:3080';
const SERVED_BY_SERVER = ['/api', '/oauth', '/images', '/health'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeStylesheet(), sizesInPlace(), earlyChat(), diagramScript(), artifactParts(), pdfParts()],
  resolve: {
    alias: [
      // In a cascade layer, Mantine's styles lose to our modules whichever chunk loads last.
      { find: /^@mantine\/core\/styles\/(\w[\w-]*)\.css$/, replacement: '@mantine/core/styles/$1.layer.css' },
      // React has the hook that packages take from here for its old versions.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
    ],
  },
  // Shorter class names than Vite's, because the first load has hundreds of them.
  css: { modules: { generateScopedName: (name, file) => `${name}_${hashOf(file)}` } },
  build: {
    target: 'es2023',
    outDir: 'dist',
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // A dependency list for each lazy chunk would bloat the first load; each chunk imports its own. Only stylesheets
    // are listed.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((name) => name.endsWith('.css')),
    },
    rolldownOptions: {
      // Which the package does not say of itself: its index would load the socket's part with the page.
      treeshake: { moduleSideEffects: [{ test: /\/@trpc\/client\/dist\//, sideEffects: false }] },
      output: {
        codeSplitting: { groups: chunkGroups },
        // Seven characters of a hash tell two builds of a file apart; the first load names dozens of files.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(SERVED_BY_SERVER.map((path) => [path, { target: SERVER }])),
      '/trpc': { target: SERVER, ws: true },
    },
  },
});

const hashes = new Map<string, string>();

/** A hash that is the same on every machine and unique per stylesheet. */
function hashOf(file: string): string {
  const path = relative(import.meta.dirname, file.replace(/\?.*$/, ''));
  const hash = createHash('sha256').update(path).digest('base64url').slice(0, 3);
  if ((hashes.get(hash) ?? path) !== path) throw new Error(`${path} has the hash of ${hashes.get(hash)}: rename it`);
  hashes.set(hash, path);
  return hash;
}

/** Tells head.js which files the chat and the thread consist of: they load in parallel with the app. */
function earlyChat(): Plugin {
  return {
    name: 'early-chat',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chat = filesOf(isChat);
        const read = [...filesOf(isThread), ...filesOf(isMarkdown)].filter((file) => !chat.has(file));
        return html
          .replace('data-chat=""', `data-chat="${[...chat].join(' ')}"`)
          .replace('data-read=""', `data-read="${[...new Set(read)].join(' ')}"`);

        function filesOf(isRoom: (id: string) => boolean): Set<string> {
          const files = new Set<string>();
          const chunks = Object.values(bundle).filter((file) => 'moduleIds' in file);
          gather(chunks.find(({ moduleIds }) => moduleIds.some(isRoom))?.fileName, files);
          return files;
        }

        function gather(name: string | undefined, files: Set<string>): void {
          const chunk = name === undefined ? undefined : bundle[name];
          if (chunk?.type !== 'chunk' || chunk.isEntry || files.has(`/${name}`)) return;
          for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(`/${file}`);
          for (const needed of chunk.imports) gather(needed, files);
        }
      },
    },
  };
}

/** Mantine would insert its variables as a <style> element at run time, which `style-src 'self'` forbids. */
function themeStylesheet(): Plugin {
  const file = '/@theme.css';
  return {
    name: 'theme-stylesheet',
    resolveId: (id) => (id === 'virtual:theme.css' ? file : undefined),
    load: (id) => (id === file ? themeCss() : undefined),
  };
}

/**
 * A size never changes while the page is shown, so the stylesheets get its value, which is shorter than its name. Mantine
 * has pixels, which would not follow the browser's font.
 */
function sizesInPlace(): Plugin {
  const isSize = /var\(--((?:text|leading|space|control|radius|icon|size)-\w+|bar|sidebar)\)/g;
  return {
    name: 'sizes-in-place',
    enforce: 'pre',
    transform(code, id) {
      if (/\/web\/src\/.*\.css($|\?)/.test(id))
        return code.replace(isSize, (use, name: string) => sizes[name] ?? this.error(`The theme has no size ${use}`));
      if (/\/@mantine\/core\/styles\/.*\.css($|\?)/.test(id))
        return code.replace(/\b(\d*\.?\d+)px\b/g, (length, px) => (Number(px) > 2 ? `${Number(px) / 16}rem` : length));
      return undefined;
    },
  };
}

/** The script of the frame that draws diagrams: whole, as its package has it, since the frame shares nothing. */
function diagramScript(): Plugin {
  const read = () => readFileSync(createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js'));
  return {
    name: 'diagram-script',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'diagram/mermaid.js', source: read() });
    },
    configureServer(server) {
      server.middlewares.use('/diagram/mermaid.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(read());
      });
    },
  };
}
