import { createPrivateKey } from 'node:crypto';
import * as z from 'zod';

/** The used fields of a Google service account's key file. */
export interface ServiceKey {
  projectId: string;
  clientEmail: string;
  privateKey: string;
  privateKeyId: string | undefined;
  /** The token endpoint. */
  tokenURL: string;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

const KeyFile = z.object({
  client_email: z.string().min(6),
  // It becomes part of an address.
  project_id: z.string().regex(/^[\w.:-]{3,}$/),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url().default(TOKEN_URL),
});

/** Parses a JSON key file; undefined when the text is none. */
export function parseServiceKey(text: string): ServiceKey | undefined {
  try {
    const file = KeyFile.parse(JSON.parse(text));
    createPrivateKey(file.private_key);
    return {
      projectId: file.project_id,
      clientEmail: file.client_email,
      privateKey: file.private_key,
      privateKeyId: file.private_key_id,
      tokenURL: file.token_uri,
    };
  } catch {
    return undefined;
  }
}
