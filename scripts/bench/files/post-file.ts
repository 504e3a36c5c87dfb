import { randomUUID } from 'node:crypto';

/** Who uploads, and where. */
export interface Sender {
  id: string;
  /** Of the server. */
  url: string;
  token: string;
}

/** Sends a form as the web client does. */
export function postFile(url: string, file: File, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.set('file_id', randomUUID());
  form.set('endpoint', 'openAI');
  form.set('file', file);
  // A connection that waited too long would be closed under the next upload.
  return fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body: form });
}

/** Uploads to Parley; returns the id of the file. */
export async function sendFile({ url, token }: Sender, file: File): Promise<string> {
  const response = await postFile(`${url}/api/files`, file, { authorization: `Bearer ${token}` });
  const { file_id: id, message } = (await response.json()) as { file_id?: string; message: string };
  if (id === undefined) throw new Error(message);
  return id;
}
