// `npm run cluster`: all that a production installation consists of, on this machine, to see what holds when a part of
// it is killed.
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { root } from './build-stamps.mjs';
import { openCheckout } from './cluster/checkout.ts';
import { findPrograms } from './cluster/programs.ts';
import { isProven, prove, proveUpgrade, proofRow, TITLES, type Proof } from './cluster/prove.ts';
import { answerCommands, askCluster, formatTable, readStatus } from './cluster/status.ts';
import { KILLS, startCluster, type Cluster, type Kill } from './cluster/supervisor.ts';

/** About 40 seconds each. */
const LOAD = { answers: 100, tokens: 400, every: 100 };
const LOOK_EVERY_MS = 200;

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    etcd: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '3' },
    asynchronous: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    status: { type: 'boolean' },
    kill: { type: 'string' },
    'back-after': { type: 'string', default: '20' },
    stop: { type: 'boolean' },
    prove: { type: 'string' },
    from: { type: 'string' },
  },
});
const folder = resolve(values.dir ?? join(tmpdir(), `parley-cluster-${process.getuid?.() ?? 0}`));
const backAfter = Number(values['back-after']);
const told = new AbortController();
const untilTold = new Promise<void>((done) => told.signal.addEventListener('abort', () => done()));

try {
  if (values.status) console.log(await askCluster(folder, '/status'));
  else if (values.kill !== undefined) console.log(await askCluster(folder, `/kill/${values.kill}/${backAfter}`));
  else if (values.stop) await stop();
  else await run();
} catch (error) {
  if (!told.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// People who are asking would go on without their cluster.
if (told.signal.aborted) process.exit();

async function stop(): Promise<void> {
  console.log(await askCluster(folder, '/stop'));
  const stillAnswers = () =>
    askCluster(folder, '/stop').then(
      () => true,
      () => false,
    );
  while (await stillAnswers()) await sleep(LOOK_EVERY_MS);
}

async function run(): Promise<void> {
  findPrograms();
  const kinds = values.prove === undefined ? null : kindsOf(values.prove);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => told.abort());
  await build();
  const former = values.prove === 'upgrade' ? openCheckout(values.from) : null;
  try {
    told.signal.throwIfAborted();
    const cluster = await start(former?.folder);
    try {
      await Promise.race([untilTold, kinds ? proveAll(cluster, kinds) : serve(cluster)]);
    } finally {
      await cluster.close();
    }
  } finally {
    former?.remove();
  }
}

function start(from: string | undefined): Promise<Cluster> {
  return startCluster({
    folder,
    nodes: Number(values.nodes),
    etcd: Number(values.etcd),
    asynchronous: values.asynchronous,
    keep: values.keep,
    say: (line) => console.log(line),
    signal: told.signal,
    ...(from !== undefined && { from }),
  });
}

function kindsOf(wish: string): (Kill | 'upgrade')[] {
  if (wish === 'all') return [...KILLS];
  const kinds = wish.split(',').flatMap((name) => [...KILLS, 'upgrade' as const].filter((kind) => kind === name));
  if (kinds.length < wish.split(',').length)
    throw new Error(`Only these can be proven: all, ${KILLS.join(', ')}, upgrade.`);
  return kinds;
}

/** In the foreground, until a signal or another command ends it. */
async function serve(cluster: Cluster): Promise<void> {
  await answerCommands(cluster, () => told.abort());
  console.log(formatTable(await readStatus(cluster)));
  console.log(`\nParley is ready on ${cluster.url}; everything is in ${cluster.folder}`);
  await untilTold;
}

async function proveAll(cluster: Cluster, kinds: readonly (Kill | 'upgrade')[]): Promise<void> {
  const rows = [TITLES];
  for (const kind of kinds) {
    console.log(`${kind}: ${LOAD.answers} answers of ${(LOAD.tokens * LOAD.every) / 1000} s`);
    const options = { ...LOAD, backAfter };
    const proof = await (kind === 'upgrade' ? proveUpgrade(cluster, root, options) : prove(cluster, kind, options));
    rows.push(proofRow(proof));
    printDetails(proof);
    if (!isProven(proof)) process.exitCode = 1;
  }
  console.log(`\n${formatTable(rows)}`);
}

function printDetails({ lost, refused, errors }: Proof): void {
  for (const text of lost) console.log(`  lost: ${text}`);
  for (const [kind, count] of refused) console.log(`  refused ${count} times: ${kind}`);
  for (const [event, count] of errors) console.log(`  logged ${count} times: ${event}`);
}
