// Reads XML of strangers as a stream of tags and text. Knows no entities but those of XML itself, and loads nothing.
import { SaxesParser } from 'saxes';
import { decode, knownEncoding, markedEncoding } from './encodings/decode.ts';
import { Unreadable } from './source.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';

export interface XmlReader {
  /** @param tag its name without a prefix; attributes keep theirs */
  open?(tag: string, attributes: Readonly<Record<string, string>>): void;
  close?(tag: string): void;
  text?(text: string): void;
}

/** Real documents stay below fifty. */
const DEPTH_MAX = 1000;

/** @throws `Unreadable` when the entry is not there, cannot be unpacked, is no XML or too deep */
export async function readXml(zip: Zip, name: string, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  let depth = 0;
  parser.on('error', () => {
    throw new Unreadable('damaged');
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    if (++depth > DEPTH_MAX) throw new Unreadable('damaged');
    reader.open?.(localName(tag), attributes);
  });
  parser.on('closetag', ({ name: tag }) => {
    depth--;
    reader.close?.(localName(tag));
  });
  parser.on('text', (text) => reader.text?.(text));
  parser.on('cdata', (text) => reader.text?.(text));
  for await (const text of decoded(zip.read(name))) parser.write(text);
  parser.close();
}

async function* decoded(pieces: AsyncIterator<Uint8Array> & AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const first = await pieces.next();
  if (first.done) return;
  const head = Buffer.from(first.value).toString('latin1', 0, 200);
  const declared = /^<\?xml[^>]*\sencoding=["']([\w.-]+)["']/.exec(head)?.[1];
  const encoding = markedEncoding(first.value) ?? knownEncoding(declared) ?? 'utf-8';
  yield* decode(andThen(first.value, pieces), encoding);
}

async function* andThen(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}
