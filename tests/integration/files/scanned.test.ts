// The operator's scanner sees all that is kept, whichever way it comes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { files } from '@parley/db/tables/files';
import { saveAvatar } from '@parley/server/files/avatar';
import { saveGeneratedImage } from '@parley/server/files/save-generated-image';
import { readContent } from '@parley/server/mcp/content';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { formOf, postForm, upload } from '../../support/uploads.ts';
import { exportOf, importInto } from '../transfer/archives.ts';

const folder = createFolder();
const verdict = join(folder, 'verdict');
/** A command that ends with the code in a file. */
const scanner = join(folder, 'scanner.mjs');
writeFileSync(
  scanner,
  `import { readFileSync } from 'node:fs'; process.exit(Number(readFileSync(${JSON.stringify(verdict)}, 'utf8')));`,
);
const find = (code: 0 | 1 | 2) => writeFileSync(verdict, String(code));

let clients: HttpClients;
let alice: Browser;
let bob: Browser;

beforeAll(async () => {
  find(0);
  clients = await openHttpClients({ env: { FILES_SCAN_COMMAND: `${process.execPath} ${scanner}` } });
  alice = await clients.signUp('alice');
  bob = await clients.signUp('bob');
});
afterAll(async () => {
  await alice?.close();
  await bob?.close();
  await clients?.close();
});
beforeEach(() => find(0));

const headersOf = ({ token }: Browser) => ({ headers: { authorization: `Bearer ${token}` } });
const NOTES = { bytes: 'What I know', name: 'notes.txt', type: 'text/plain' };

describe('a file in which the scanner finds something', () => {
  it('is refused as an upload, as text and as an image', async () => {
    find(1);
    const forms = [
      ['/api/files', formOf(NOTES)],
      ['/api/files/images', formOf({ bytes: await ownImage(), name: 'a.png', fields: { width: '9', height: '9' } })],
    ] as const;
    for (const [path, form] of forms) {
      const response = await postForm(`http://${clients.host}`, headersOf(alice), path, form);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('found something harmful') });
    }
    expect(await kept(alice)).toEqual([]);
  });

  it('is kept neither as an avatar nor as what a tool made', async () => {
    find(1);
    const { deps } = clients.services;
    const path = join(folder, 'face.png');
    writeFileSync(path, await ownImage());
    await expect(saveAvatar(deps, alice.userId, path, 'user')).rejects.toThrow('invalid_input');
    const image = { userId: alice.userId, bytes: await ownImage(), name: 'kite', prompt: '' };
    await expect(saveGeneratedImage(deps, image)).rejects.toThrow('invalid_input');
    const blob = Buffer.from('#!/bin/sh').toString('base64');
    const resource = { uri: 'file:///run.sh', blob, mimeType: 'text/plain' };
    expect(await readContent(deps, alice.userId, 'tool', { content: [{ type: 'resource', resource }] })).toEqual({
      text: '[The scanner of this server did not let a file pass: it is left out.]',
      outputs: [],
    });
    expect(await kept(alice)).toEqual([]);
  });

  it.each([
    [1, 'infected'],
    [2, 'not_scanned'],
  ] as const)('after exit code %i is left out of an import as %s, and taken by the next one', async (code, reason) => {
    const name = `notes-${reason}.txt`;
    await upload(`http://${clients.host}`, headersOf(alice), { ...NOTES, name, bytes: `What I know of ${reason}` });
    const archive = await exportOf(clients, alice);
    find(code);
    const left = { outcome: 'skipped', reason };
    const { files: refused } = await importInto(clients, bob, archive);
    expect(refused).toContainEqual(expect.objectContaining({ name, ...left }));
    expect(await kept(bob)).not.toContainEqual(expect.objectContaining({ name }));
    find(0);
    const { files: taken } = await importInto(clients, bob, archive);
    expect(taken).toContainEqual(expect.objectContaining({ name, outcome: 'imported' }));
    expect(await kept(bob)).toContainEqual(expect.objectContaining({ name }));
  });
});

function kept({ userId }: Browser) {
  return clients.services.deps.db.query.select().from(files).where(eq(files.userId, userId));
}

function ownImage(): Promise<Buffer> {
  return sharp({ create: { width: 9, height: 9, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
}
