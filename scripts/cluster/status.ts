// What each part of a running cluster is doing, and the way by which other commands ask it.
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { asFields, parseJson } from '@parley/schema/json';
import { members } from './patroni.ts';
import { KILLS, type Cluster } from './supervisor.ts';

/** One row per part, below their titles: name, role, address, state, and what else is known. */
export async function readStatus({ parts, databases, isRunning }: Cluster): Promise<string[][]> {
  const seen = await members(databases);
  const rows = parts.map(async (part) => {
    const member = seen.find(({ name }) => name === part.name);
    const isReady = isRunning(part) && (await part.isReady());
    const state = !isRunning(part) ? 'down' : isReady ? 'ready' : (member?.state ?? 'not ready');
    const leads = part.role === 'etcd' && isReady && (await leadsEtcd(part.address));
    const lag = member && member.role !== 'primary' ? `${member.lag ?? '?'} bytes behind` : '';
    return [part.name, member?.role ?? part.role, part.address, state, leads ? 'leader' : lag];
  });
  return [['part', 'role', 'address', 'state', ''], ...(await Promise.all(rows))];
}

async function leadsEtcd(address: string): Promise<boolean> {
  const asked = await fetch(`http://${address}/v3/maintenance/status`, { method: 'POST', body: '{}' }).catch(
    () => null,
  );
  const { header, leader } = asFields(await asked?.json());
  return leader !== undefined && leader === asFields(header).member_id;
}

/** Aligns the columns of a table. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Answers the commands that find this cluster by its folder. `onStop` is called when one asks for the end. */
export async function answerCommands(cluster: Cluster, onStop: () => void): Promise<void> {
  const server = createServer((asked, response) => {
    void carryOut(cluster, asked.url ?? '', onStop)
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
      .then((answer) => response.end(JSON.stringify(answer)));
  });
  await new Promise<void>((resolve) => server.listen(socketIn(cluster.folder), resolve));
  server.unref();
}

async function carryOut(cluster: Cluster, url: string, onStop: () => void): Promise<{ text: string }> {
  const [, command, what, seconds] = url.split('/');
  if (command === 'status') return { text: formatTable(await readStatus(cluster)) };
  if (command === 'stop') {
    onStop();
    return { text: 'The cluster stops.' };
  }
  const kind = KILLS.find((name) => name === what);
  if (!kind) throw new Error(`Only these can be killed: ${KILLS.join(', ')}.`);
  const { name, back } = await cluster.kill(kind, Number(seconds));
  // It ends early where the cluster does.
  back.catch(() => undefined);
  return { text: `${name} is killed; it comes back in ${seconds} seconds.` };
}

/** What the cluster in `folder` answers to a command. @throws Error with a sentence */
export async function askCluster(folder: string, path: string): Promise<string> {
  const answer = await new Promise<string>((resolve, reject) => {
    request({ socketPath: socketIn(folder), path }, (response) => text(response).then(resolve, reject))
      .once('error', () => reject(new Error(`No cluster runs in ${folder}.`)))
      .end();
  });
  const { text: said, error } = asFields(parseJson(answer));
  if (typeof error === 'string') throw new Error(error);
  return String(said);
}

/** Closed to others, as all that is created in the folder. */
function socketIn(folder: string): string {
  return join(folder, 'commands.sock');
}
