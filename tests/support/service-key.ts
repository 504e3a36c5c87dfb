// The key file of a Google service account that only the fake provider knows.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './folders.ts';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const publicKey = pair.publicKey;

/** The file's contents; `tokenURL` is where the key is exchanged for a token. */
export function serviceKeyFile(tokenURL: string): Record<string, string> {
  return {
    type: 'service_account',
    project_id: 'parley-test',
    private_key_id: 'key-1',
    private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    client_email: 'parley@parley-test.iam.gserviceaccount.com',
    token_uri: tokenURL,
  };
}

/** Its path; the file is removed after the test. */
export function writeServiceKey(tokenURL: string): string {
  const path = join(createFolder(), 'key.json');
  writeFileSync(path, JSON.stringify(serviceKeyFile(tokenURL)));
  return path;
}
