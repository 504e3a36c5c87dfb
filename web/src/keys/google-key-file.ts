import { isObject, parseJson } from '@parley/schema/json';

/** The fields of a service account key file that matter here; the others are kept. */
export interface GoogleKeyFile {
  client_email: string;
  project_id: string;
  private_key: string;
}

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const PROJECT_MIN = 3;
const PRIVATE_KEY_MIN = 601;
/** Larger than any key file; a video chosen by mistake is not read. */
const FILE_MAX = 16_000;

/** The contents of the chosen file; null if it is not a key file. */
export async function readGoogleKeyFile(file: File): Promise<GoogleKeyFile | null> {
  return file.size > FILE_MAX ? null : parseGoogleKey(await file.text().catch(() => ''));
}

export function parseGoogleKey(text: string): GoogleKeyFile | null {
  const parsed = parseJson(text);
  if (!isObject(parsed)) return null;
  const { client_email, project_id, private_key } = parsed;
  if (typeof client_email !== 'string' || !EMAIL.test(client_email)) return null;
  if (typeof project_id !== 'string' || project_id.length < PROJECT_MIN) return null;
  if (typeof private_key !== 'string' || private_key.length < PRIVATE_KEY_MIN) return null;
  return { ...parsed, client_email, project_id, private_key };
}
