// What is asked by monitoring and load balancers.
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@parley/db/client';
import type { Hono } from 'hono';
import { accessTokenIn } from '../platform/requests/request-info.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import type { MetricsExport } from '../platform/metrics.ts';

/** How long the database may be silent, in milliseconds: a restart of it takes less. */
const SILENCE_MAX_MS = 5000;
const RETRY_MS = 200;

/**
 * `GET /health`: the process lives. `GET /ready`: a load balancer should send requests to it. The server listens only
 * after its migrations, so that until then nothing answers.
 */
export function mountHealth(hono: Hono<HttpEnv>, db: Db, isDraining: () => boolean): void {
  let asking: Promise<boolean> | undefined;
  hono.get('/health', (c) => c.text('OK'));
  hono.get('/ready', async (c) => {
    asking ??= isAnswering(db).finally(() => (asking = undefined));
    if (!isDraining() && !(await asking)) return c.text('The database does not answer', 503);
    return isDraining() ? c.text('The server is about to stop', 503) : c.text('OK');
  });
}

/** `GET /metrics`: Prometheus text for requests with `Authorization: Bearer <METRICS_TOKEN>`. */
export function mountMetrics(hono: Hono<HttpEnv>, metrics: MetricsExport, token: string): void {
  hono.get('/metrics', async (c) => {
    const given = accessTokenIn(c.req.header('authorization') ?? null);
    if (given === null || !isSame(given, token)) return c.text('Unauthorized', 401, { 'WWW-Authenticate': 'Bearer' });
    return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' });
  });
}

async function isAnswering(db: Db): Promise<boolean> {
  const silent = AbortSignal.timeout(SILENCE_MAX_MS);
  const late = new Promise<false>((resolve) => silent.addEventListener('abort', () => resolve(false), { once: true }));
  while (!silent.aborted) {
    const asked = db.sql`select 1`.then(
      () => true,
      () => false,
    );
    if (await Promise.race([asked, late])) return true;
    await sleep(RETRY_MS);
  }
  return false;
}

/** Constant-time comparison: digests have equal length. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
