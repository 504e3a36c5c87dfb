// The least that takes and gives files: busboy into a file on the disk, and ranges of a file from it. No sign-in, no
// database, no hash. Parley's costs are reported as a multiple of this.
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { serveHelper } from '../child-process.ts';

let count = 0;

const calls = {
  /** Starts the server over a folder and returns its address. */
  async open(folder: string): Promise<string> {
    const server = createServer((incoming, response) => {
      const handled =
        incoming.method === 'POST' ? receive(folder, incoming, response) : give(folder, incoming, response);
      void handled.catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};
export type BareFilesCalls = typeof calls;
serveHelper(calls);

/** Answers with the name of the file when its bytes are on the disk, as Parley does. */
async function receive(folder: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = `file-${++count}`;
  const writing: Promise<void>[] = [];
  const form = busboy({ headers: incoming.headers });
  form.on('file', (_, bytes) => writing.push(write(join(folder, name), bytes)));
  await pipeline(incoming, form);
  await Promise.all(writing);
  response.end(name);
}

async function write(path: string, bytes: NodeJS.ReadableStream): Promise<void> {
  await pipeline(bytes, createWriteStream(path));
  const file = await open(path, 'r');
  await file.sync();
  await file.close();
}

async function give(folder: string, { url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(folder, url.slice(1));
  const { size } = await stat(path);
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)];
  const range = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 };
  response.writeHead(206, range);
  await pipeline(createReadStream(path, { start, end }), response);
}
