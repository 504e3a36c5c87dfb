import { createECDH, randomBytes } from 'node:crypto';
import { assertSubscription, isPushService } from '@parley/server/notices/push/check-subscription';
import { vapidKeys } from '@parley/server/notices/push/vapid';
import { describe, expect, it } from 'vitest';

const keys = () => ({
  p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

describe('the address of a subscription', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=abc',
    'https://push.example:8443/a',
    'http://ntfy.lan/a',
    'https://eu.push.firm.example/a',
  ])('may be %s', (endpoint) => {
    expect(isPushService(endpoint, ['push.example:8443', 'ntfy.lan', '.push.firm.example'])).toBe(true);
  });

  it.each([
    ['http://fcm.googleapis.com/a', 'without https'],
    ['https://fcm.googleapis.com./a', 'a trailing dot'],
    ['https://fcm.googleapis.com:8443/a', 'another port'],
    ['https://user@fcm.googleapis.com/a', 'a user'],
    ['https://fcm.googleapis.com@127.0.0.1/a', 'a user that looks like a host'],
    ['https://fcm.googleapis.com.evil.example/a', 'a longer name'],
    ['https://evilfcm.googleapis.com/a', 'a name of the same end'],
    ['https://push.apple.com.evil.example/', 'a name of the same beginning'],
    ['https://127.0.0.1/a', 'an address'],
    ['https://[::1]/a', 'an address of version 6'],
    ['https://2130706433/a', 'an address in one number'],
    ['https://localhost/a', 'this machine'],
    ['https://fcm.googleapis.com/a#b', 'a fragment'],
    ['ftp://fcm.googleapis.com/a', 'another protocol'],
    ['file:///etc/passwd', 'a file'],
    ['https://push.example/a', 'an own host at another port'],
    ['https://ntfy.lan.evil.example/a', 'no own host'],
    ['', 'nothing'],
  ])('is refused: %s, %s', (endpoint) => {
    expect(isPushService(endpoint, ['push.example:8443', 'ntfy.lan'])).toBe(false);
    expect(() => assertSubscription({ endpoint, keys: keys() }, [])).toThrow();
  });
});

describe('the keys of a subscription', () => {
  const endpoint = 'https://fcm.googleapis.com/fcm/send/a';
  const attempt = (changed: object) => () => assertSubscription({ endpoint, keys: { ...keys(), ...changed } }, []);

  it('are a point of the curve and 16 bytes', () => {
    expect(attempt({})).not.toThrow();
    const offCurve = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url');
    const infinity = Buffer.from([0]).toString('base64url');
    const compressed = createECDH('prime256v1').generateKeys('base64url', 'compressed');
    for (const p256dh of [offCurve, infinity, compressed, Buffer.alloc(65, 4).toString('base64url'), 'AAAA'])
      expect(attempt({ p256dh }), p256dh).toThrow('invalid_input');
    for (const bytes of [0, 15, 17, 32])
      expect(attempt({ auth: Buffer.alloc(bytes).toString('base64url') })).toThrow('invalid_input');
  });
});

describe('the key pair of a server', () => {
  it('follows from its secret', () => {
    const [one, other] = ['a1'.repeat(32), 'b2'.repeat(32)].map(vapidKeys);
    expect(vapidKeys('a1'.repeat(32))).toEqual(one);
    expect(other).not.toEqual(one);
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(one?.privateKey ?? '', 'base64url');
    expect(pair.getPublicKey().toString('base64url')).toBe(one?.publicKey);
  });
});
