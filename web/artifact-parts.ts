// What apps of answers may use in their frame: React, d3, and what turns JSX into a program. Each is one script that shares
// nothing with the app, since the frame is nobody's origin.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** The programs that make the scripts; d3 comes as one. */
const ENTRIES: Readonly<Record<string, string>> = {
  react: `
    import * as React from 'react';
    import * as dom from 'react-dom';
    import * as client from 'react-dom/client';
    import * as jsx from 'react/jsx-runtime';
    const modules = { react: React, 'react-dom': dom, 'react-dom/client': client, 'react/jsx-runtime': jsx };
    function show(shown, place, onError) {
      const root = client.createRoot(place, { onUncaughtError: onError, onRecoverableError: onError });
      root.render(typeof shown === 'function' || shown.$$typeof === Symbol.for('react.memo') || shown.$$typeof === Symbol.for('react.forward_ref')
        ? React.createElement(shown) : shown);
    }
    window.artifactParts = { ...window.artifactParts, modules, show };`,
  sucrase: `
    import { transform } from 'sucrase';
    const options = { transforms: ['typescript', 'jsx', 'imports'], jsxRuntime: 'automatic', production: true };
    window.artifactParts = { ...window.artifactParts, transform: (code) => transform(code, options) };`,
};
const NAMES = [...Object.keys(ENTRIES), 'd3'];

export function artifactParts(): Plugin {
  const made = new Map<string, Promise<string>>();
  const part = (name: string) => {
    const known = made.get(name) ?? (name === 'd3' ? readD3() : bundle(name, ENTRIES[name] ?? ''));
    made.set(name, known);
    return known;
  };
  return {
    name: 'artifact-parts',
    async generateBundle() {
      for (const name of NAMES)
        this.emitFile({ type: 'asset', fileName: `artifact/${name}.js`, source: await part(name) });
    },
    configureServer(server) {
      for (const name of NAMES)
        server.middlewares.use(`/artifact/${name}.js`, (_request, response, next) => {
          part(name).then((source) => {
            response.setHeader('Content-Type', 'text/javascript');
            response.end(source);
          }, next);
        });
    },
  };
}

async function readD3(): Promise<string> {
  // Its main file is a module in the same folder.
  return readFileSync(join(dirname(dirname(require.resolve('d3'))), 'dist/d3.min.js'), 'utf8');
}

async function bundle(name: string, source: string): Promise<string> {
  const entry = `virtual:artifact-${name}`;
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'silent',
    publicDir: false,
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? join(import.meta.dirname, `${name}-entry.js`) : undefined),
        load: (id) => (id === join(import.meta.dirname, `${name}-entry.js`) ? source : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      minify: true,
      rolldownOptions: { input: entry, output: { format: 'iife' } },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const chunk = outputs.find((one) => one.type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error(`${name} was not built`);
  return chunk.code;
}
