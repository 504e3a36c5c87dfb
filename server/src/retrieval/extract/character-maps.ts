// The tables of pdf.js that say which characters the codes of Chinese, Japanese and Korean fonts are: such fonts often
// name a table of Adobe's instead of bringing one.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names as Adobe gives them: nothing else is read, whatever a file asks for. */
const NAME = /^[\w-]+\.bcmap$/;

/** What pdf.js asks for files of its own; it knows no other way to them here. */
export class CharacterMaps {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !NAME.test(filename)) throw new Error(`There is no ${kind} ${filename}.`);
    // pdf.js takes the memory over; small files come from a pool that others share.
    return new Uint8Array(await readFile(join(characterMapsFor(import.meta.url), filename)));
  }
}

/** The folder of the tables: the package's in the sources; in a build a copy stands with the worker's program. */
export function characterMapsFor(module: string): string {
  if (module.endsWith('.ts')) return join(dirname(createRequire(module).resolve('pdfjs-dist/package.json')), 'cmaps');
  return fileURLToPath(new URL(module.includes('/chunks/') ? '../cmaps' : './cmaps', module));
}
