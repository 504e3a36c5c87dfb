// Starts the parts of a cluster in their order, and kills and replaces them as it is told.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findUnprivilegedUser } from '@parley/db/embedded/os-user';
import { root } from '../build-stamps.mjs';
import { startFakeProvider } from '../fake-provider.ts';
import { openBucket } from './bucket.ts';
import { allReady, createCrew, type Crew } from './crew.ts';
import { etcdParts } from './etcd.ts';
import { balancerPart } from './haproxy.ts';
import { nodeCommand, nodeParts } from './nodes.ts';
import { answers, addressAt, freePort, openTo, waitFor, type Part, type Site } from './part.ts';
import { createDatabase, databaseParts, members, findPrimary, type Database } from './patroni.ts';
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
  /** Whether the primary confirms a commit before its standby has it; it waits for it by default. */
  asynchronous?: boolean;
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
  /** Of the primary, without the pooler. */
  databaseUrl: string;
  /** Whether a part is running, as far as is known here. */
  isRunning(part: Part): boolean;
  /** Kills a part at once and starts it again `seconds` later; `back` resolves when all is well then. */
  kill(what: Kill, seconds: number): Promise<{ name: string; back: Promise<void> }>;
  /** Ends a node in order and starts the server of another checkout in its place; resolves when all is well. */
  replaceNode(node: Part, checkout: string): Promise<void>;
  /**
   * Resolves when every part is ready, and every database in sync. A part that is not after a minute is killed and started
   * again, as its operator would do; returns their names.
   */
  recover(): Promise<string[]>;
  close(): Promise<void>;
}

const RECOVERS_WITHIN_MS = 60_000;

/** Throws with a sentence when a program is missing, the folder is taken, or a part does not start. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const programs = findPrograms();
  const folder = makeFolder(options.folder);
  const reaper = startReaper(folder, options.keep === true);
  const crew = createCrew(options.say ?? (() => {}));
  options.signal?.addEventListener('abort', crew.leave);
  const provider = await startFakeProvider();
  const close = async () => {
    crew.leave();
    reaper.stdin?.end();
    await Promise.all([once(reaper, 'exit'), provider.close()]);
  };
  try {
    const user = userFor(folder);
    const { asynchronous = false } = options;
    const site: Site = { folder, programs, user, password: randomBytes(16).toString('hex'), asynchronous };
    const plan = await planParts(site, provider.url, options);
    await startInOrder(site, plan, crew);
    return { ...plan, ...orders(plan, crew), folder, isRunning: crew.isRunning, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Plan = Awaited<ReturnType<typeof planParts>>;

async function planParts(site: Site, provider: string, { etcd: members = 1, nodes: count = 3, from }: ClusterOptions) {
  const etcd = await etcdParts(site, members);
  const databases = await databaseParts(site, etcd);
  const addresses = [];
  for (let n = 0; n < count; n++) addresses.push(addressAt(await freePort()));
  const balancer = await balancerPart(site, databases, addresses);
  const pooler = await poolerPart(site, balancer.primary);
  const bucket = await openBucket(site, process.env);
  const url = `http://${balancer.address}`;
  const nodes = nodeParts(site, {
    addresses,
    url,
    provider,
    root: from ?? root,
    pooled: pooler.address,
    direct: balancer.primary,
    bucket: bucket.env,
  });
  /** Between the databases and the nodes. */
  const between = [balancer, pooler, ...(bucket.part ? [bucket.part] : [])];
  return {
    etcd,
    databases,
    between,
    nodes,
    url,
    databaseUrl: `postgres://parley:${site.password}@${balancer.primary}/parley`,
    parts: [...etcd, ...databases, ...between, ...nodes],
  };
}

async function startInOrder(
  site: Site,
  { etcd, databases, between, nodes, url }: Plan,
  { start }: Crew,
): Promise<void> {
  await start(etcd);
  await start(databases);
  await createDatabase(site, (await findPrimary(databases))?.address ?? '');
  await start(between);
  // The first one migrates.
  await start(nodes.slice(0, 1));
  // The balancer looks at them once a second: before that it refuses everything.
  await start(nodes.slice(1), async (parts) => (await allReady(parts)) && answers(`${url}/ready`));
}

function orders({ parts, databases }: Plan, crew: Crew): Pick<Cluster, 'kill' | 'replaceNode' | 'recover'> {
  const areWell = () => allReady(parts);
  return {
    async kill(what, seconds) {
      const part = await findPart(what, parts, databases);
      await crew.kill(part);
      // Where it came back earlier, it would still be the primary.
      const isReplaced = async () => what !== 'primary' || (await findPrimary(databases)) !== null;
      const back = sleep(seconds * 1000)
        .then(() => waitFor(isReplaced))
        .then(() => crew.start([part], areWell));
      return { name: part.name, back };
    },
    async recover() {
      const patience = AbortSignal.timeout(RECOVERS_WITHIN_MS);
      await waitFor(areWell, patience).catch(() => undefined);
      const areReady = await Promise.all(parts.map((part) => part.isReady()));
      const stuck = parts.filter((_, n) => !areReady[n]);
      for (const part of stuck) {
        await crew.kill(part);
        await crew.start([part], async () => true);
      }
      await waitFor(areWell);
      return stuck.map(({ name }) => name);
    },
    async replaceNode(node, checkout) {
      await crew.end(node);
      node.command = nodeCommand(checkout);
      await crew.start([node], areWell);
    },
  };
}

function makeFolder(wanted: string): string {
  if (existsSync(wanted)) throw new Error(`${wanted} is there already: another cluster runs there, or left it behind.`);
  mkdirSync(wanted, { mode: 0o700 });
  openTo(wanted);
  return realpathSync(wanted);
}

/** PostgreSQL does not run as root: then its folder has to be in one that another user can enter. */
function userFor(folder: string): Site['user'] {
  if (process.getuid?.() !== 0) return null;
  const user = findUnprivilegedUser();
  const entered = spawnSync('ls', ['-d', `${folder}/.`], { ...user, stdio: 'ignore' });
  if (entered.status === 0) return user;
  throw new Error(`Only root can enter ${folder}, and PostgreSQL does not run as root: choose another --dir.`);
}

function startReaper(folder: string, keep: boolean): ChildProcess {
  const program = fileURLToPath(new URL('reaper.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), program, folder, ...(keep ? ['keep'] : [])];
  return spawn(process.execPath, args, { cwd: '/', detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
}

async function findPart(what: Kill, parts: readonly Part[], databases: readonly Database[]): Promise<Part> {
  const seen = what === 'primary' || what === 'standby' ? await members(databases) : [];
  const name = seen.find(({ role }) => (role === 'primary') === (what === 'primary'))?.name;
  const part = parts.find((candidate) => candidate.role === what || candidate.name === name);
  if (!part) throw new Error(`There is no ${what} to kill now.`);
  return part;
}
