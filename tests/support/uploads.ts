// Uploads as clients of the REST paths send them.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '@parley/server/services';
import { arrivalsFolder, hashFile } from '@parley/server/storage/arrivals';
import { saveFile, createFileSaver, type NewFile } from '@parley/server/files/save-file';
import type { FileRow } from '@parley/server/files/present';
import type { Client } from './rest/client.ts';
import { fetchDocumented } from './rest/documented.ts';

export interface FileDocument {
  message: string;
  user: string;
  file_id: string;
  temp_file_id: string;
  bytes: number;
  filename: string;
  filepath: string;
  object: 'file';
  type: string;
  context: string;
  usage: number;
  source: string;
  embedded: boolean;
  width?: number;
  height?: number;
  expiresAt?: string;
  createdAt: string;
  updatedAt: string;
}

interface UploadForm {
  bytes: Uint8Array | string;
  name: string;
  type?: string;
  /** More fields, or other values; undefined leaves a field out. */
  fields?: Record<string, string | undefined>;
  /** As our own page sends it: the fields before the file. */
  fieldsFirst?: boolean;
}

/** The form of existing clients: the file comes before most of the fields, its name encoded. */
export function formOf({ bytes, name, type = '', fields = {}, fieldsFirst = false }: UploadForm): FormData {
  const form = new FormData();
  const values = Object.entries({ file_id: randomUUID(), endpoint: 'openAI', ...fields });
  const appendFields = () => {
    for (const [field, value] of values) if (value !== undefined) form.append(field, value);
  };
  if (fieldsFirst) appendFields();
  const blob = new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], { type });
  form.append('file', blob, encodeURIComponent(name));
  if (!fieldsFirst) appendFields();
  return form;
}

export function postForm(
  url: string,
  client: Pick<Client, 'headers'>,
  path: string,
  form: FormData,
): Promise<Response> {
  return fetchDocumented(url + path, { method: 'POST', headers: client.headers, body: form });
}

/** An upload that succeeds; with a width and a height it is one of an image. */
export async function upload(url: string, client: Pick<Client, 'headers'>, form: UploadForm): Promise<FileDocument> {
  const path = form.fields?.width === undefined ? '/api/files' : '/api/files/images';
  const response = await postForm(url, client, path, formOf(form));
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as FileDocument;
}

interface TestFile extends Partial<Pick<NewFile, 'name' | 'mime' | 'context' | 'width' | 'height'>> {
  /** What it holds; a text of its own if absent. */
  text?: string | Uint8Array;
}

/** A file kept as uploads keep it, but without HTTP. */
export async function keepTestFile(
  deps: Pick<Deps, 'db' | 'stores' | 'config' | 'log'>,
  userId: string,
  { text = randomUUID(), ...file }: TestFile = {},
): Promise<FileRow> {
  const folder = arrivalsFolder(deps.config);
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  await writeFile(path, text);
  const usual = { name: 'notes.txt', mime: 'text/plain', context: 'message_attachment' } as const;
  const bytes = Buffer.byteLength(text);
  return saveFile(createFileSaver(deps), { ...usual, ...file, userId, path, bytes, hash: await hashFile(path) });
}
