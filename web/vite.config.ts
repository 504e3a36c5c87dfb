// How the browser's half is built: one entry, lazy rooms, and no style or script that the page would have to inline.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { themeCss } from './src/theme.ts';

const SERVER = process.env.PARLEY_SERVER ?? 'http://localhost:3080';
const SERVED_BY_SERVER = ['/api', '/oauth', '/images', '/health'];

/**
 * What every page needs, what the chat needs and what sign-in needs as well are a piece each, instead of one for each
 * module a lazy room shares.
 */
const travelTogether = [
  { name: 'app', tags: ['$initial' as const], priority: 3 },
  {
    debugName: 'frame',
    name: (id: string, graph: Graph) =>
      isSharedByComponents(id) || (isPartOf(isChat, id, graph) && isPartOf(isSignIn, id, graph)) ? 'frame' : null,
    priority: 2,
  },
  {
    debugName: 'chat',
    name: (id: string, graph: Graph) => (isPartOf(isChat, id, graph) ? 'chat' : null),
    priority: 1,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeStylesheet(), earlyChat()],
  resolve: {
    // In a cascade layer, Mantine's styles lose to our modules whichever chunk happens to arrive last.
    alias: [{ find: /^@mantine\/core\/styles\/(\w[\w-]*)\.css$/, replacement: '@mantine/core/styles/$1.layer.css' }],
  },
  build: {
    target: 'es2023',
    outDir: 'dist',
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    // The names of what each lazy room is made of would weigh on the first load; it says so itself. Styles cannot.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed) => needed.filter((name) => name.endsWith('.css')),
    },
    rolldownOptions: { output: { codeSplitting: { groups: travelTogether } } },
  },
  server: {
    proxy: {
      ...Object.fromEntries(SERVED_BY_SERVER.map((path) => [path, { target: SERVER }])),
      '/trpc': { target: SERVER, ws: true },
    },
  },
});

/** Tells head.js which files the chat is made of, and what else reading one takes: they travel together with the app. */
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

interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

/**
 * Whether a room imports it, at once and not when it is needed. Packages are not asked: an index that exports
 * everything seems to import everything.
 */
function isPartOf(isRoom: (id: string) => boolean, id: string, graph: Graph): boolean {
  const seen = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isRoom(next)) return true;
    if (seen.has(next) || next.includes('/node_modules/')) continue;
    seen.add(next);
    open.push(...(graph.getModuleInfo(next)?.importers ?? []));
  }
  return false;
}

function isChat(id: string): boolean {
  return id.endsWith('/src/signed-in.tsx');
}

function isThread(id: string): boolean {
  return id.endsWith('/src/chat/thread/thread.tsx');
}

function isMarkdown(id: string): boolean {
  return id.endsWith('/src/content/markdown.tsx');
}

/** What the two rooms' components of Mantine share. */
function isSharedByComponents(id: string): boolean {
  return /\/(get-size|create-vars-resolver|use-media-query|use-reduced-motion)\.mjs$/.test(id);
}

function isSignIn(id: string): boolean {
  return id.endsWith('/src/auth/accounts.tsx');
}

/** Mantine would write its variables into a <style> element at run time, which `style-src 'self'` forbids. */
function themeStylesheet(): Plugin {
  const file = '/@theme.css';
  return {
    name: 'theme-stylesheet',
    resolveId: (id) => (id === 'virtual:theme.css' ? file : undefined),
    load: (id) => (id === file ? themeCss() : undefined),
  };
}
