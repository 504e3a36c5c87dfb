// What a browser gives of its subscription: an address that this server will call, and keys to encrypt for it.
import { createECDH, ECDH } from 'node:crypto';
import type { PushSubscriptionInput } from '@parley/schema/notices/notices';
import { refuse } from '../../platform/errors.ts';

/** The push services of Chrome and others, of Firefox, of Safari, and of Edge. */
const PUSH_SERVICES = ['fcm.googleapis.com', '.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com'];

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/**
 * `hosts` are the operator's own: `host`, `host:port` or `.suffix`. Only these may be without https, or at another port.
 * @throws Refusal `forbidden_base_url` for an address of no push service, `invalid_input` for keys that are none
 */
export function assertSubscription({ endpoint, keys }: PushSubscriptionInput, hosts: readonly string[]): void {
  if (!isPushService(endpoint, hosts)) refuse({ type: 'forbidden_base_url', host: hostOf(endpoint) });
  if (!isPoint(keys.p256dh) || Buffer.from(keys.auth, 'base64url').length !== AUTH_BYTES)
    refuse({ type: 'invalid_input', text: 'These are no keys of a subscription' });
}

export function isPushService(endpoint: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password, hostname, port, hash } = new URL(endpoint);
  if (username + password + hash !== '' || !/^https?:$/.test(protocol)) return false;
  if (isListed(hosts, hostname, port || (protocol === 'https:' ? '443' : '80'))) return true;
  return protocol === 'https:' && port === '' && isListed(PUSH_SERVICES, hostname, '443');
}

function isListed(list: readonly string[], hostname: string, port: string): boolean {
  return list.some((entry) =>
    entry.startsWith('.') ? hostname.endsWith(entry) : entry === hostname || entry === `${hostname}:${port}`,
  );
}

/** Whether it is a point of the curve that both sides use, uncompressed. */
function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== POINT_BYTES || bytes[0] !== 4) return false;
  try {
    const own = createECDH('prime256v1');
    own.generateKeys();
    own.computeSecret(bytes);
    return ECDH.convertKey(bytes, 'prime256v1').length === POINT_BYTES;
  } catch {
    return false;
  }
}

/** As far as it can be quoted. */
function hostOf(endpoint: string): string {
  return (URL.canParse(endpoint) ? new URL(endpoint).host : endpoint).slice(0, 100);
}
