// Files in the Files API of OpenAI.
import { openAsBlob } from 'node:fs';
import * as z from 'zod';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { credential, httpUrl } from '../../config/env/env-readers.ts';
import { defineStore } from '../../storage/define-store.ts';
import {
  nullWhenMissing,
  MissingFile,
  type ByteRange,
  type FileStore,
  type LocalFile,
} from '../../storage/file-store.ts';
import { requestStore } from './request-store.ts';

export interface OpenAIFilesSettings {
  apiKey: string;
  /** With its version, without a trailing slash: https://api.openai.com/v1. */
  baseURL: string;
}

/**
 * OpenAI gives back the bytes of this purpose. Those of `assistants` and `user_data` may be uploaded and never be read
 * again ("Not allowed to download files of purpose: user_data").
 */
const PURPOSE = 'vision';
/** Names of this beginning are ours: an account may have other files, which must not be touched. */
const OURS = 'parley~';
/** OpenAI's most for one page. */
const PAGE_FILES_MAX = 10_000;
/** The most ids that are remembered. */
const IDS_MAX = 10_000;

export const openAI = defineStore({
  source: 'openai',
  env: { OPENAI_FILES_API_KEY: credential, OPENAI_FILES_BASE_URL: httpUrl },
  needs: ['OPENAI_FILES_API_KEY'],
  configure: ({ OPENAI_FILES_API_KEY: apiKey, OPENAI_FILES_BASE_URL: url = 'https://api.openai.com/v1' }) => ({
    apiKey,
    baseURL: withoutTrailingSlash(url),
  }),
  create: createOpenAIStore,
});

const FileObject = z.object({ id: z.string(), filename: z.string(), bytes: z.number() });
const Page = z.object({ data: z.array(FileObject), has_more: z.boolean().default(false) });
type FileObject = z.infer<typeof FileObject>;

/**
 * OpenAI makes the ids (`file-…`), so a key is the file's name there, and its id is found in the list of files and
 * remembered. The API has no ranges: the bytes before a range are read and skipped. Two processes that put one key at
 * once may leave two files of that name; either serves, and removing removes both.
 */
export function createOpenAIStore(settings: OpenAIFilesSettings): FileStore {
  const account = createAccount(settings);
  const ids = new Map<string, string>();
  const puts = new Map<string, Promise<void>>();
  return {
    source: 'openai',
    put(key, from, signal) {
      const running = puts.get(key) ?? upload(key, from, signal).finally(() => puts.delete(key));
      puts.set(key, running);
      return running;
    },
    async read(key, range, signal) {
      const response = await content(key, signal);
      const body: ReadableStream<Uint8Array> = response.body ?? new Blob([]).stream();
      return range ? body.pipeThrough(cutTo(range)) : body;
    },
    async remove(key) {
      ids.delete(key);
      for await (const file of filesNamed(key)) await account.drop(file.id);
    },
    async *list(prefix) {
      const told = new Set<string>();
      for await (const { filename } of account.files()) {
        const key = filename.startsWith(OURS) ? filename.slice(OURS.length).replaceAll('~', '/') : null;
        if (key === null || !key.startsWith(prefix) || told.has(key)) continue;
        told.add(key);
        yield key;
      }
    },
  };

  /** A file appears when all of it has come. */
  async function upload(key: string, { path, bytes, mime }: LocalFile, signal: AbortSignal): Promise<void> {
    for await (const file of filesNamed(key)) if (file.bytes === bytes) return remember(key, file.id);
    const form = new FormData();
    form.set('purpose', PURPOSE);
    form.set('file', await openAsBlob(path, { type: mime }), nameOfKey(key));
    remember(key, (await account.upload(form, signal)).id);
  }

  /** An id that is remembered may be of a file that another process removed and put again. */
  async function content(key: string, signal: AbortSignal | undefined): Promise<Response> {
    const known = ids.get(key);
    const found = known === undefined ? null : await account.content(known, signal).catch(nullWhenMissing);
    if (found) return found;
    ids.delete(key);
    for await (const { id } of filesNamed(key)) {
      remember(key, id);
      return account.content(id, signal);
    }
    throw new MissingFile('The file is not in the store');
  }

  async function* filesNamed(key: string): AsyncGenerator<FileObject> {
    const name = nameOfKey(key);
    for await (const file of account.files()) if (file.filename === name) yield file;
  }

  function remember(key: string, id: string): void {
    ids.set(key, id);
    const [oldest] = ids.keys();
    if (ids.size > IDS_MAX && oldest !== undefined) ids.delete(oldest);
  }
}

/** The calls of the API. */
function createAccount({ apiKey, baseURL }: OpenAIFilesSettings) {
  return {
    async upload(form: FormData, signal: AbortSignal): Promise<FileObject> {
      return FileObject.parse(await (await call('POST', '/files', { body: form, signal })).json());
    },
    content(id: string, signal: AbortSignal | undefined): Promise<Response> {
      return call('GET', `/files/${encodeURIComponent(id)}/content`, signal ? { signal } : {});
    },
    async drop(id: string): Promise<void> {
      const removed = await call('DELETE', `/files/${encodeURIComponent(id)}`).catch(nullWhenMissing);
      await removed?.body?.cancel();
    },
    /** The newest first: what was just put is found soon. */
    async *files(): AsyncGenerator<FileObject> {
      const query = new URLSearchParams({ purpose: PURPOSE, limit: String(PAGE_FILES_MAX), order: 'desc' });
      for (;;) {
        const page = Page.parse(await (await call('GET', `/files?${query}`)).json());
        yield* page.data;
        const last = page.data.at(-1);
        if (!page.has_more || !last) return;
        query.set('after', last.id);
      }
    },
  };

  function call(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}` };
    const build = () => Promise.resolve(new Request(`${baseURL}${path}`, { ...init, method, headers }));
    return requestStore(build, init.signal ?? undefined);
  }
}

/** No key has a tilde. A slash might be taken for a folder. */
function nameOfKey(key: string): string {
  return `${OURS}${key.replaceAll('/', '~')}`;
}

/** Passes on the bytes of a range, both ends included, and ends the reading after them. */
function cutTo({ from, to }: ByteRange): TransformStream<Uint8Array, Uint8Array> {
  let at = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const piece = chunk.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at));
      at += chunk.length;
      if (piece.length > 0) controller.enqueue(piece);
      if (at > to) controller.terminate();
    },
  });
}
