// Sends outbound requests through the operator's proxy (PROXY). Requests to this machine bypass it, and so do users'
// URLs, whose addresses must be checked at connect time (`egress.ts`).
import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Replaces the platform's own way to connect. */
export type Tunnel = (options: object, connected: (error: Error | null, socket?: Socket) => void) => void;

const AT_HOME = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Sends all `fetch` requests through the proxy; the returned function undoes that. */
export async function installOutboundProxy(proxy: string): Promise<() => Promise<void>> {
  const { EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } = await import('./undici.ts');
  const before = getGlobalDispatcher();
  const agent = new EnvHttpProxyAgent({ httpProxy: proxy, httpsProxy: proxy, noProxy: [...AT_HOME].join() });
  setGlobalDispatcher(agent);
  return async () => {
    setGlobalDispatcher(before);
    await agent.close();
  };
}

/** Connects a websocket by CONNECT through the proxy. Undefined when no proxy is used. */
export function tunnelTo(address: string, proxy: string | undefined): Tunnel | undefined {
  const { hostname, port, protocol } = new URL(address);
  if (proxy === undefined || AT_HOME.has(hostname)) return undefined;
  const isSecure = protocol === 'wss:';
  const target = `${hostname}:${port || (isSecure ? 443 : 80)}`;
  return (_options, connected) => {
    openTunnel(new URL(proxy), target).then((socket) => {
      if (!isSecure) return connected(null, socket);
      const secure = connectSecurely({ socket, servername: hostname });
      secure.once('secureConnect', () => connected(null, secure));
      secure.once('error', connected);
    }, connected);
  };
}

function openTunnel(proxy: URL, target: string): Promise<Socket> {
  const { protocol, username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const headers = { host: target, ...(username !== '' && { 'proxy-authorization': `Basic ${credentials}` }) };
  const ask = protocol === 'https:' ? requestSecurely : request;
  return new Promise((resolve, reject) => {
    const call = ask(proxy, { method: 'CONNECT', path: target, headers, timeout: CONNECT_TIMEOUT_MS });
    call.once('timeout', () => call.destroy(new Error('the proxy does not answer')));
    call.once('error', reject);
    call.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy answers ${statusCode}`));
    });
    call.end();
  });
}

const CONNECT_TIMEOUT_MS = 10_000;
