// Files in Firebase Storage, by the paths that its own clients call. Access is up to the rules of the bucket.
import { openAsBlob } from 'node:fs';
import * as z from 'zod';
import { withoutTrailingSlash } from '../../config/addresses.ts';
import { configError } from '../../config/config-error.ts';
import { credential, text } from '../../config/env/env-readers.ts';
import { defineStore } from '../../storage/define-store.ts';
import { nullWhenMissing, type FileStore } from '../../storage/file-store.ts';
import { requestStore } from './request-store.ts';

export interface FirebaseSettings {
  bucket: string;
  apiKey: string;
  /** Firebase's application id, which its clients send along. */
  appId: string;
  /** The address of Firebase Storage or its emulator. */
  storage: string;
}

const Listing = z.object({
  items: z.array(z.object({ name: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});

/** Its other variables concern services that are not used; they may be set as for Firebase's own clients. */
export const firebase = defineStore({
  source: 'firebase',
  env: {
    FIREBASE_API_KEY: credential,
    FIREBASE_AUTH_DOMAIN: text,
    FIREBASE_PROJECT_ID: text,
    FIREBASE_STORAGE_BUCKET: text,
    FIREBASE_STORAGE_EMULATOR_HOST: text,
    FIREBASE_MESSAGING_SENDER_ID: text,
    FIREBASE_APP_ID: credential,
  },
  needs: ['FIREBASE_API_KEY', 'FIREBASE_STORAGE_BUCKET', 'FIREBASE_APP_ID'],
  configure: ({ FIREBASE_STORAGE_EMULATOR_HOST: host, ...env }) => ({
    bucket: env.FIREBASE_STORAGE_BUCKET,
    apiKey: env.FIREBASE_API_KEY,
    appId: env.FIREBASE_APP_ID,
    storage: host ? emulatorAddress(host) : 'https://firebasestorage.googleapis.com',
  }),
  create: createFirebaseStore,
});

/** As Firebase's own tools read it: a host and a port, or an address. */
function emulatorAddress(host: string): string {
  const address = withoutTrailingSlash(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (URL.canParse(address)) return address;
  throw configError('FIREBASE_STORAGE_EMULATOR_HOST must be a host and a port, such as localhost:9199.');
}

export function createFirebaseStore({ bucket, apiKey, appId, storage }: FirebaseSettings): FileStore {
  const base = `${storage}/v0/b/${encodeURIComponent(bucket)}/o`;
  const identity = { 'x-firebase-gmpid': appId, 'x-goog-api-key': apiKey };
  return {
    source: 'firebase',
    async put(key, { path, mime }, signal) {
      // A blob of a file is read while it is sent. An object appears when all of it has come.
      const body = await openAsBlob(path, { type: mime });
      const query = new URLSearchParams({ name: key });
      await (
        await call('POST', `${base}?${query}`, { body, headers: { 'content-type': mime }, signal })
      ).body?.cancel();
    },
    async read(key, range, signal) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to}` } : {};
      const response = await call('GET', `${addressOf(key)}?alt=media`, { headers, ...(signal && { signal }) });
      return response.body ?? new Blob([]).stream();
    },
    async remove(key) {
      const removed = await call('DELETE', addressOf(key)).catch(nullWhenMissing);
      await removed?.body?.cancel();
    },
    async *list(prefix) {
      let pageToken = '';
      do {
        const query = new URLSearchParams({ prefix, ...(pageToken && { pageToken }) });
        const page = Listing.parse(await (await call('GET', `${base}?${query}`)).json());
        for (const { name } of page.items) yield name;
        pageToken = page.nextPageToken ?? '';
      } while (pageToken !== '');
    },
  };

  function call(method: string, url: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const build = () => Promise.resolve(new Request(url, { ...init, method, headers: { ...headers, ...identity } }));
    return requestStore(build, init.signal ?? undefined);
  }

  function addressOf(key: string): string {
    return `${base}/${encodeURIComponent(key)}`;
  }
}
