// How the browser's half is built: one entry, lazy rooms, and no style or script that the page would have to inline.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { themeCss } from './src/theme.ts';

const SERVER = process.env.PARLEY_SERVER ?? 'http://localhost:3080';
const SERVED_BY_SERVER = ['/api', '/oauth', '/images', '/health'];

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
    modulePreload: { polyfill: false },
    // What every page needs travels in one piece, instead of one request per module that a lazy room shares with it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } } },
  },
  server: {
    proxy: {
      ...Object.fromEntries(SERVED_BY_SERVER.map((path) => [path, { target: SERVER }])),
      '/trpc': { target: SERVER, ws: true },
    },
  },
});

/** Tells head.js which files the chat is made of, so that they travel together with the app. */
function earlyChat(): Plugin {
  return {
    name: 'early-chat',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = new Set<string>();
        gather(Object.values(bundle).find((file) => 'facadeModuleId' in file && isChat(file.facadeModuleId))?.fileName);
        return html.replace('data-chat=""', `data-chat="${[...files].map((file) => `/${file}`).join(' ')}"`);

        function gather(name: string | undefined): void {
          const chunk = name === undefined ? undefined : bundle[name];
          if (chunk?.type !== 'chunk' || chunk.isEntry || files.has(chunk.fileName)) return;
          for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(file);
          chunk.imports.forEach(gather);
        }
      },
    },
  };
}

function isChat(id: string | null): boolean {
  return id?.endsWith('/src/signed-in.tsx') ?? false;
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
