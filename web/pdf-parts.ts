// What the library that reads PDFs loads while it runs, as its package has it: the program of its worker, tables of
// characters, fonts, decoders and the signs of notes. The folder is named after the version, so that the files can be
// kept for ever.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Plugin } from 'vite';

/** By the folder they are served from. */
const FOLDERS: Readonly<Record<string, { from: string; takes: RegExp }>> = {
  cmaps: { from: 'cmaps', takes: /\.bcmap$/ },
  fonts: { from: 'standard_fonts', takes: /\.(pfb|ttf)$/ },
  iccs: { from: 'iccs', takes: /\.icc$/ },
  images: { from: 'legacy/web/images', takes: /^annotation-.*\.svg$/ },
  wasm: { from: 'wasm', takes: /\.(js|wasm)$/ },
};
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

export function pdfParts(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = `pdf/${version}`;
  const files = new Map([[`${folder}/worker.js`, join(root, 'legacy/build/pdf.worker.min.mjs')]]);
  for (const [name, { from, takes }] of Object.entries(FOLDERS))
    for (const file of readdirSync(join(root, from)).filter((one) => takes.test(one)))
      files.set(`${folder}/${name}/${file}`, join(root, from, file));

  return {
    name: 'pdf-parts',
    generateBundle() {
      for (const [fileName, path] of files) this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    },
    configureServer(server) {
      server.middlewares.use(`/${folder}`, (request, response, next) => {
        const [name = ''] = (request.url ?? '').split('?', 1);
        const path = files.get(`${folder}${name}`);
        if (path === undefined) return next();
        response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream');
        response.end(readFileSync(path));
      });
    },
  };
}
