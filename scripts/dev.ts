// `npm run dev`: database, fake provider, fake sign-in sites, server and web in one terminal, each restarting on its
// edits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { startEmbedded } from '@parley/db/embedded';
import { createLogger, createServer } from 'vite';
import { startFakeIdentity } from './fake-identity.ts';
import { startFakeProvider } from './fake-provider.ts';
import { root } from './build-stamps.mjs';

const WEB_PORT = 3080;
const SERVER_PORT = 3081;
const PROVIDER_PORT = 3082;
const IDENTITY_PORT = 3083;
const colours = { provider: 35, identity: 33, database: 36, server: 32, web: 34 };
const inColour = process.stdout.isTTY && !process.env.NO_COLOR;

process.chdir(root);
if (existsSync('.env')) process.loadEnvFile('.env');

const parts = [await startProvider(), await startIdentity(), await startDatabase(), startServer(), await startWeb()];
let ending: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Vite would exit at once, with the database still running.
  process.removeAllListeners(signal);
  // Ctrl-C comes twice: from the terminal, and passed on by npm.
  process.on(signal, () => (ending ??= end()));
}

type Part = { close(): Promise<unknown> };

async function startProvider(): Promise<Part> {
  const provider = await startFakeProvider({ port: PROVIDER_PORT });
  for (const [name, value] of Object.entries(offeredBy(provider.url))) process.env[name] ??= value;
  logLine('provider', provider.url);
  return provider;
}

/** Unless real sign-in sites are configured. Redirects lead to the page with hot reload. */
async function startIdentity(): Promise<Part> {
  const identity = await startFakeIdentity({ port: IDENTITY_PORT });
  const site = { DOMAIN_CLIENT: `http://localhost:${WEB_PORT}` };
  const isOwn = process.env.ALLOW_SOCIAL_LOGIN !== undefined;
  for (const [name, value] of Object.entries(isOwn ? site : { ...site, ...identity.env })) process.env[name] ??= value;
  logLine('identity', identity.url);
  return identity;
}

/** Every protocol of the fake provider, as an endpoint of its own. */
function offeredBy(url: string): Record<string, string> {
  return {
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${url}/v1`,
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: url,
    GOOGLE_KEY: 'fake',
    GOOGLE_REVERSE_PROXY: url,
    AZURE_API_KEY: 'fake',
    AZURE_OPENAI_API_VERSION: '2024-10-21',
    AZURE_OPENAI_BASEURL: `${url}/openai/deployments/\${DEPLOYMENT_NAME}`,
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
  };
}

/** Held by this process, so that the database keeps running while the server restarts. */
async function startDatabase(): Promise<Part> {
  if (process.env.DATABASE_URL) return { close: async () => {} };
  const { connection, stop } = await startEmbedded(resolve(process.env.DATA_DIR ?? 'data'));
  logLine('database', connection.folder);
  return { close: stop };
}

function startServer(): Part {
  const args = ['--watch', '--watch-preserve-output', '--import', 'tsx', 'server/src/main.ts'];
  const env = { ...process.env, PORT: String(SERVER_PORT) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const output of [child.stdout, child.stderr]) repeat('server', output);
  return {
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function startWeb(): Promise<Part> {
  const { HOST } = process.env;
  const target = { target: `http://localhost:${SERVER_PORT}`, ws: true };
  const proxy = Object.fromEntries(['/api', '/trpc', '/images', '/oauth', '/health'].map((path) => [path, target]));
  const customLogger = { ...createLogger(), info: logWeb, warn: logWeb, error: logWeb };
  const web = await createServer({
    root: join(root, 'web'),
    clearScreen: false,
    customLogger,
    server: { port: WEB_PORT, strictPort: true, ...(HOST !== undefined && { host: HOST }), proxy },
  });
  await web.listen();
  logLine('web', `http://localhost:${WEB_PORT}`);
  return web;
}

function logWeb(text: string) {
  logLine('web', text);
}

function logLine(part: keyof typeof colours, text: string) {
  const name = part.padEnd(9);
  for (const line of text.split('\n')) {
    console.log(inColour ? `\x1b[${colours[part]}m${name}\x1b[0m ${line}` : `${name} ${line}`);
  }
}

function repeat(part: keyof typeof colours, output: Readable) {
  createInterface(output).on('line', (line) => logLine(part, line));
}

/** Stops the server before its database. */
async function end() {
  for (const part of parts.toReversed()) await part.close();
  process.exit(0);
}
