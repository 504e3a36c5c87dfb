// Signature version 4 of AWS, computed from what arrived, as its documentation describes it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const FORM = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/;

/** S3's error code for a request that is not signed as it should be; null for one that is. */
export function checkSignature(request: IncomingMessage, body: Buffer, credentials: Credentials): string | null {
  const [, credential = '', signed = '', signature = ''] = FORM.exec(request.headers.authorization ?? '') ?? [];
  const time = headerOf(request, 'x-amz-date');
  const scope = [time.slice(0, 8), credentials.region, 's3', 'aws4_request'].join('/');
  if (credential !== `${credentials.accessKeyId}/${scope}`) return 'InvalidAccessKeyId';
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'SignatureDoesNotMatch';
  const payload = headerOf(request, 'x-amz-content-sha256');
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical(request, names, payload))].join('\n');
  const expected = hmac(keyFor(credentials, time.slice(0, 8)), text).toString('hex');
  const isSame = timingSafeEqual(Buffer.from(expected), Buffer.from(signature.padEnd(64, '0')));
  return isSame ? null : 'SignatureDoesNotMatch';
}

function canonical(request: IncomingMessage, names: string[], payload: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const query = [...searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted()
    .join('&');
  const path = decodeURIComponent(pathname).split('/').map(escaped).join('/');
  const headers = names.map((name) => `${name}:${headerOf(request, name).trim().replaceAll(/ +/g, ' ')}\n`).join('');
  return [request.method, path, query, headers, names.join(';'), payload].join('\n');
}

function keyFor({ secretAccessKey, region }: Credentials, day: string): Buffer {
  return [day, region, 's3', 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name] ?? '';
  return Array.isArray(value) ? value.join(',') : value;
}

function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
