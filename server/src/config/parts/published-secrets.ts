import { createHash } from 'node:crypto';
import type { Env } from '../env/env.ts';

/** SHA-256 of the values in public example files for JWT_SECRET, JWT_REFRESH_SECRET and CREDS_KEY. */
const PUBLISHED = new Set([
  '69024f21e9ad17594dcccd93e87399af24a5426ccfe6108d1787f0335966abc4',
  '282ad5f60261639fefed381976b4d0dde52eab5527a1ab2ec75d5be1efa1165b',
  '7c1154b5152983978147ea87e4a2066d4768673e9d85d6a792cddc2f784efd2f',
]);

const SECRETS = ['JWT_SECRET', 'JWT_REFRESH_SECRET', 'CREDS_KEY'] as const;

/** The secret from the environment; undefined for a published one, so that a generated one is used instead. */
export function ownSecret(env: Env, name: (typeof SECRETS)[number]): string | undefined {
  const secret = env[name];
  return secret && !PUBLISHED.has(createHash('sha256').update(secret.toLowerCase()).digest('hex')) ? secret : undefined;
}

/** The variables that have a published value. */
export function publishedSecrets(env: Env): string[] {
  return SECRETS.filter((name) => env[name] && !ownSecret(env, name));
}
