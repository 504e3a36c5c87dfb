import { createHash, timingSafeEqual } from 'node:crypto';
import type { Hono } from 'hono';
import { accessTokenIn } from './request-info.ts';
import type { HttpEnv } from './http-env.ts';
import type { MetricsExport } from '../platform/metrics.ts';

/** `GET /metrics`: Prometheus text for requests with `Authorization: Bearer <METRICS_TOKEN>`. */
export function mountMetrics(hono: Hono<HttpEnv>, metrics: MetricsExport, token: string): void {
  hono.get('/metrics', async (c) => {
    const given = accessTokenIn(c.req.header('authorization') ?? null);
    if (given === null || !isSame(given, token)) return c.text('Unauthorized', 401, { 'WWW-Authenticate': 'Bearer' });
    return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' });
  });
}

/** Constant-time comparison: digests have equal length. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
