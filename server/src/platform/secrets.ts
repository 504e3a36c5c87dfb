import { hash, timingSafeEqual } from 'node:crypto';

/** Takes as long whatever is given, also where the lengths differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer')];
  return timingSafeEqual(one, other);
}

/** A shorter value is part of too many words. */
const SECRET_MIN = 6;

/** Without these secrets, whatever somebody else wrote of them. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SECRET_MIN)
    .reduce((masked, secret) => masked.replaceAll(secret, '…'), text);
}
