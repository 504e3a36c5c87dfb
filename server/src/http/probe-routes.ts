// What is asked by monitoring and load balancers.
import type { Hono } from 'hono';
import { isSameSecret } from '../platform/secrets.ts';
import { accessTokenIn } from '../platform/requests/request-info.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import type { MetricsExport } from '../platform/metrics.ts';
import type { Readiness } from './readiness.ts';

/**
 * `GET /health`: the process lives. `GET /ready`: a load balancer should send requests to it. The server listens only
 * after its migrations, so that until then nothing answers.
 */
export function mountHealth(hono: Hono<HttpEnv>, readiness: Readiness): void {
  hono.get('/health', (c) => c.text('OK'));
  hono.get('/ready', async (c) => {
    const state = await readiness.read();
    if (state === 'ready') return c.text('OK');
    return c.text(state === 'silent' ? 'The database does not answer' : 'The server is about to stop', 503);
  });
}

/** `GET /metrics`: Prometheus text for requests with `Authorization: Bearer <METRICS_TOKEN>`. */
export function mountMetrics(hono: Hono<HttpEnv>, metrics: MetricsExport, token: string): void {
  hono.get('/metrics', async (c) => {
    const given = accessTokenIn(c.req.header('authorization') ?? null);
    if (given === null || !isSameSecret(given, token))
      return c.text('Unauthorized', 401, { 'WWW-Authenticate': 'Bearer' });
    return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' });
  });
}
