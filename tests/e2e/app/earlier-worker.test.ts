// A browser that knows another app from this address, whose service worker answers with its own page.
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

const PAGE = '<!doctype html><h1>Earlier app</h1><script>navigator.serviceWorker.register("/sw.js")</script>';
const WORKER = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    const headers = { 'content-type': 'text/html' };
    if (event.request.mode === 'navigate') event.respondWith(new Response(${JSON.stringify(PAGE)}, { headers }));
  });
`;

let hasMoved = false;
let looksForWorker = 0;
let address: Server;
let url: string;

beforeAll(async () => {
  address = createServer((incoming, response) =>
    hasMoved ? pass(incoming, response) : serveEarlier(incoming, response),
  );
  await new Promise<void>((resolve) => address.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(address.address() as AddressInfo).port}`;
});
afterAll(() => {
  address.closeAllConnections();
  address.close();
});

test('its worker makes room for this app', async () => {
  const { page } = await stage.visitor({ serviceWorkers: 'allow' });
  await page.goto(url);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  hasMoved = true;
  await page.goto(`${url}/login`);
  await page.getByRole('heading', { name: 'Earlier app' }).waitFor();
  // The browser looks for a newer worker some time after a page has loaded.
  await expect.poll(() => looksForWorker).toBeGreaterThan(0);
  const isHere = async () => {
    await page.goto(`${url}/login`);
    return (await page.title()) === 'Parley';
  };
  await expect.poll(isHere).toBe(true);
});

function serveEarlier({ url: path }: IncomingMessage, response: ServerResponse): void {
  const isWorker = path === '/sw.js';
  response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html').end(isWorker ? WORKER : PAGE);
}

function pass(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url: path = '/' } = incoming;
  if (path === '/sw.js') looksForWorker += 1;
  const passed = request(new URL(path, stage.app.url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  incoming.pipe(passed);
}
