// The process that reads a document starts while the document still arrives.
import { randomUUID } from 'node:crypto';
import { createServer, request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uploadFile } from '@parley/server/files/upload/upload-file';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainExtractor } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';

let services: TestServices;
let prepared: number;
let close: () => Promise<void>;
let url: string;

beforeEach(async () => {
  prepared = 0;
  services = await openTestServices({}, {}, { ...plainExtractor(), prepare: () => void prepared++ });
  const { id } = await services.as('alice');
  const server = createServer((incoming, response) => {
    uploadFile(services.deps, id, incoming, 'file').then(
      ({ row }) => response.end(row.mime),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => new Promise((resolve) => void server.close(() => resolve()));
});
afterEach(async () => {
  await close();
  await services.close();
});

it('a document that begins to arrive has its reader started', async () => {
  const sending = begin('a.pdf', 'application/pdf', '%PDF-1.7 half of it');
  await expect.poll(() => prepared).toBe(1);
  expect(await finish(sending)).toBe('application/pdf');
  expect(prepared).toBe(1);
});

it('a file without text starts none', async () => {
  expect(await finish(begin('a.zip', 'application/zip', 'PK\x05\x06'))).toBe('application/zip');
  expect(prepared).toBe(0);
});

/** Sends the fields and the first bytes of a file. */
function begin(name: string, mime: string, bytes: string): ClientRequest {
  const sending = request(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  const field = (key: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`;
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${mime}\r\n\r\n`;
  sending.write(field('file_id', randomUUID()) + field('endpoint', 'openAI') + head + bytes, 'latin1');
  return sending;
}

/** Sends the end, and returns what the server answers. */
function finish(sending: ClientRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => (text += piece.toString()));
      response.on('end', () => resolve(text));
    });
    sending.end('\r\n--x--\r\n');
  });
}
