// Runs programs in frames as a page opens them, many side by side, each with a host outside of its own that listens.
import type { Page } from 'playwright-core';
import { openOutside } from '../../support/outside.ts';

/** Milliseconds after a program's last try in which a packet or a connection would have come. */
const HEARD_WITHIN_MS = 3_000;
/** Milliseconds for the tries of a program that never says that it is done. */
const TRIED_WITHIN_MS = 20_000;
const AT_ONCE = 20;

/** What the hosts outside have heard, by the name of the program; only those that were heard. OUT and HOST stand for it. */
export async function tryAll(
  page: Page,
  programs: readonly (readonly [string, string])[],
): Promise<Record<string, string[]>> {
  const leaks: Record<string, string[]> = {};
  for (let from = 0; from < programs.length; from += AT_ONCE) {
    const batch = await Promise.all(
      programs.slice(from, from + AT_ONCE).map(async ([name, code]) => ({ name, code, outside: await openOutside() })),
    );
    await page.evaluate(runAll, {
      codes: batch.map(({ code, outside }) =>
        code.replaceAll('OUT', `http://${outside.at}`).replaceAll('HOST', outside.at),
      ),
      wait: HEARD_WITHIN_MS,
      most: TRIED_WITHIN_MS,
    });
    for (const { name, outside } of batch) {
      const calls = outside.heard();
      if (calls.length > 0) leaks[name] = calls;
      outside.close();
    }
  }
  return leaks;
}

/** A browser without connection allowlists: only the policy and the frame's own script are left. */
export async function withoutAllowlist(page: Page): Promise<void> {
  // What a test answers comes from nowhere that the browser knows, and may load nothing of this machine unasked.
  await page.context().grantPermissions(['local-network-access']);
  await page.addInitScript(() => {
    const create = document.createElement;
    document.createElement = function (this: Document, ...given: Parameters<typeof create>) {
      return Object.assign(create.apply(this, given), given[0] === 'iframe' && { allow: 'local-network-access *' });
    } as typeof create;
  });
  await page.route('**/artifact/frame.html', async (route) => {
    const response = await route.fetch();
    const { 'connection-allowlist': _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
}

/** From now on the frames of this page have a guard that differs from the one that is served. */
export async function withGuard(page: Page, guard: (source: string) => string): Promise<void> {
  await page.route('**/artifact/frame.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: guard(await response.text()) });
  });
}

/** Of these names, those of a global or of a member of one. */
export function findBuiltIns(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate((all) => {
    const globals = Object.getOwnPropertyNames(globalThis).map((name): unknown => Reflect.get(globalThis, name));
    const holders = [
      globalThis,
      ...globals,
      ...globals.map((one) => (typeof one === 'function' ? one.prototype : null)),
    ];
    const isObject = (one: unknown): one is object => one !== null && ['object', 'function'].includes(typeof one);
    const known = new Set(holders.filter(isObject).flatMap((one) => Object.getOwnPropertyNames(one)));
    return all.filter((name) => name.startsWith('Symbol.') || known.has(name));
  }, names);
}

/** In the page. */
async function runAll({ codes, wait, most }: { codes: string[]; wait: number; most: number }): Promise<void> {
  const frames = codes.map((code) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.src = '/artifact/frame.html';
    const { port1: port, port2 } = new MessageChannel();
    const hasTried = new Promise((resolve) => {
      window.addEventListener('message', ({ source, data }) => {
        if (source === frame.contentWindow && data === 'tried') setTimeout(resolve, wait);
      });
      port.addEventListener('message', ({ data }) => {
        if (data?.state === 'ready') setTimeout(resolve, most, port.postMessage({ code, kind: 'html' }));
      });
      port.start();
      frame.addEventListener('load', () => frame.contentWindow?.postMessage(null, '*', [port2]), { once: true });
    });
    document.body.append(frame);
    return { frame, hasTried };
  });
  await Promise.all(frames.map(({ hasTried }) => hasTried));
  for (const { frame } of frames) frame.remove();
}
