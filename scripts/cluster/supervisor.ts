// Starts the parts of a cluster in their order, brings back what ends, and kills what it is told to.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findUnprivilegedUser } from '@parley/db/embedded/os-user';
import { root } from '../build-stamps.mjs';
import { startFakeProvider, type FakeProvider } from '../fake-provider.ts';
import { openBucket } from './bucket.ts';
import { etcdParts } from './etcd.ts';
import { balancerPart } from './haproxy.ts';
import { nodeCommand, nodeParts } from './nodes.ts';
import { addressAt, freePort, killIn, launch, openTo, waitFor, type Part, type Site } from './part.ts';
import { createDatabase, databaseParts, isPrimary, members, type Database } from './patroni.ts';
import { poolerPart } from './pgbouncer.ts';
import { findPrograms } from './programs.ts';

export const KILLS = ['primary', 'standby', 'node', 'pooler', 'balancer', 'bucket', 'etcd'] as const;
export type Kill = (typeof KILLS)[number];

export interface ClusterOptions {
  /** Is made, and removed at the end. */
  folder: string;
  nodes?: number;
  /** Members of etcd. */
  etcd?: number;
  /** The built checkout whose server the nodes run; this one by default. */
  from?: string;
  /** Leaves the folder where it is. */
  keep?: boolean;
  say?: (line: string) => void;
  /** Ends the start. */
  signal?: AbortSignal;
}

export interface Cluster {
  /** Where people come in. */
  url: string;
  folder: string;
  parts: readonly Part[];
  databases: readonly Database[];
  provider: FakeProvider;
  /** Of the primary, without the pooler. */
  databaseUrl: string;
  /** Whether a part is running, as far as is known here. */
  isRunning(part: Part): boolean;
  /** Kills a part at once; `back` starts it again `seconds` later, and resolves when all is well again. */
  kill(what: Kill, seconds: number): Promise<{ name: string; back: Promise<void> }>;
  /** Ends a node in order and starts the server of another checkout in its place; resolves when it is ready. */
  replaceNode(node: Part, checkout: string): Promise<void>;
  /** Resolves when every part is ready, and a standby has all that the primary has. */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
}

/** A part that ends by itself is started again after this many milliseconds. */
const AGAIN_MS = 1000;
/** Of the log of a part that does not start. */
const LAST_LINES = 15;

/** Throws with a sentence when a program is missing, the folder is taken, or a part does not start. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder: wanted, nodes: count = 3, etcd: etcdCount = 1, from = root, keep = false, say = () => {} } = options;
  const programs = findPrograms();
  const folder = makeFolder(wanted);
  const reaper = startReaper(folder, keep);
  const crew = createCrew(say);
  options.signal?.addEventListener('abort', crew.leave);
  const provider = await startFakeProvider();
  const close = async () => {
    crew.leave();
    reaper.stdin?.end();
    await Promise.all([once(reaper, 'exit'), provider.close()]);
  };
  try {
    const user = process.getuid?.() === 0 ? findUnprivilegedUser() : null;
    if (user) assertOpen(folder, user);
    const site: Site = { folder, programs, user, password: randomBytes(16).toString('hex') };
    const etcd = await etcdParts(site, etcdCount);
    const databases = await databaseParts(site, etcd);
    const addresses = [];
    for (let n = 0; n < count; n++) addresses.push(addressAt(await freePort()));
    const balancer = await balancerPart(site, databases, addresses);
    const pooler = await poolerPart(site, balancer.primary);
    const bucket = await openBucket(site, process.env);
    const url = `http://${balancer.address}`;
    const inner = {
      pooled: pooler.address,
      direct: balancer.primary,
      bucket: bucket.env,
      provider: provider.url,
    };
    const nodes = nodeParts(site, { ...inner, addresses, url, root: from });
    const parts = [...etcd, ...databases, balancer, pooler, ...(bucket.part ? [bucket.part] : []), ...nodes];
    await crew.start(etcd);
    await crew.start(databases);
    await createDatabase(site, (await primaryOf(databases))?.address ?? '');
    await crew.start([balancer, pooler, ...(bucket.part ? [bucket.part] : [])]);
    // The first one migrates.
    await crew.start(nodes.slice(0, 1));
    await crew.start(nodes.slice(1));
    const isWell = async () => (await Promise.all(parts.map((part) => part.isReady()))).every(Boolean);
    return {
      url,
      folder,
      parts,
      databases,
      provider,
      databaseUrl: `postgres://parley:${site.password}@${balancer.primary}/parley`,
      isRunning: crew.isRunning,
      isWell,
      async kill(what, seconds) {
        const part = await findPart(what, parts, databases);
        await crew.kill(part);
        // Where it came back earlier, it would still be the primary.
        const isReplaced = async () => what !== 'primary' || (await primaryOf(databases)) !== null;
        const back = sleep(seconds * 1000)
          .then(() => waitFor(isReplaced))
          .then(() => crew.start([part], isWell));
        return { name: part.name, back };
      },
      async replaceNode(node, checkout) {
        await crew.end(node);
        node.command = nodeCommand(checkout);
        await crew.start([node]);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function makeFolder(wanted: string): string {
  if (existsSync(wanted)) throw new Error(`${wanted} is there already: another cluster runs there, or left it behind.`);
  mkdirSync(wanted, { mode: 0o700 });
  openTo(wanted);
  return realpathSync(wanted);
}

/** PostgreSQL does not run as root, so that its folder is in one that another user can enter. */
function assertOpen(folder: string, user: { uid: number; gid: number }): void {
  const entered = spawnSync('ls', ['-d', `${folder}/.`], { ...user, stdio: 'ignore' });
  if (entered.status !== 0)
    throw new Error(`Only root can enter ${folder}, and PostgreSQL does not run as root: choose another --dir.`);
}

function startReaper(folder: string, keep: boolean): ChildProcess {
  const program = fileURLToPath(new URL('reaper.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), program, folder, ...(keep ? ['keep'] : [])];
  return spawn(process.execPath, args, { cwd: '/', detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
}

/** The database that says it takes writes; null where none does. */
export async function primaryOf(databases: readonly Database[]): Promise<Database | null> {
  for (const database of databases) if (await isPrimary(database)) return database;
  return null;
}

async function findPart(what: Kill, parts: readonly Part[], databases: readonly Database[]): Promise<Part> {
  const seen = what === 'primary' || what === 'standby' ? await members(databases) : [];
  const name = seen.find(({ role }) => role === what)?.name;
  const part = parts.find((candidate) => candidate.role === what || candidate.name === name);
  if (!part) throw new Error(`There is no ${what} to kill now.`);
  return part;
}

/** Runs processes, and starts again what ends without having been told to. */
function createCrew(say: (line: string) => void) {
  const running = new Map<Part, ChildProcess>();
  /** They were started, and may end by themselves: then they start again. */
  const proven = new Set<Part>();
  const left = new AbortController();
  return { start, kill, end, leave: () => left.abort(), isRunning: (part: Part) => running.has(part) };

  /** Resolves when all are ready, or what is asked in place of it. */
  async function start(parts: readonly Part[], isWell = allReady): Promise<void> {
    const failures = parts.map((part) => run(part));
    await Promise.race([waitFor(() => isWell(parts), left.signal), ...failures]);
    for (const part of parts) proven.add(part);
  }

  /** Rejects when the part ends before it was ever ready. */
  function run(part: Part): Promise<never> {
    const child = launch(part);
    running.set(part, child);
    return new Promise((_resolve, reject) => {
      child.once('exit', (code, signal) => {
        if (running.get(part) !== child || left.signal.aborted) return;
        running.delete(part);
        if (!proven.has(part))
          return reject(new Error(`${part.name} ended with ${code ?? signal}:\n${lastLines(part)}`));
        say(`${part.name} ended with ${code ?? signal} and is started again`);
        setTimeout(() => left.signal.aborted || running.has(part) || void run(part), AGAIN_MS);
      });
    });
  }

  async function kill(part: Part): Promise<void> {
    running.delete(part);
    await killIn(part.folder);
  }

  async function end(part: Part): Promise<void> {
    const child = running.get(part);
    running.delete(part);
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

async function allReady(parts: readonly Part[]): Promise<boolean> {
  return (await Promise.all(parts.map((part) => part.isReady()))).every(Boolean);
}

function lastLines({ folder }: Part): string {
  return readFileSync(`${folder}.log`, 'utf8').trim().split('\n').slice(-LAST_LINES).join('\n');
}
