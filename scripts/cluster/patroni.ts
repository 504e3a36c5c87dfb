// Two PostgreSQL servers under Patroni: a primary, and a standby that has each commit before it is confirmed, or after
// it where replication is asynchronous.
import { open } from '@parley/db/client';
import { asFields, listIn, parseJson } from '@parley/schema/json';
import { addressAt, answers, freePort, prepareFolder, type Part, type Site } from './part.ts';

export interface Database extends Part {
  /** Where Patroni answers. */
  api: string;
}

/** A database as the members of its cluster see it. */
export interface Member {
  name: string;
  role: 'primary' | 'standby' | 'replica';
  state: string;
  /** Bytes of the log that a standby has not replayed; null for the primary, and where nobody knows. */
  lag: number | null;
}

/** Patroni's own words for roles. */
const ROLES: Record<string, Member['role']> = { leader: 'primary', master: 'primary', sync_standby: 'standby' };

/** Seconds. A leader that is silent for `ttl` is replaced; `ttl` is at least `loop_wait` and twice `retry_timeout`. */
const TIMES = { ttl: 12, loop_wait: 2, retry_timeout: 5 };

export async function databaseParts(site: Site, etcd: readonly Part[]): Promise<Database[]> {
  const hosts = etcd.map(({ address }) => address);
  const databases = [];
  for (const name of ['database1', 'database2']) databases.push(await databasePart(site, name, hosts));
  return databases;
}

async function databasePart(site: Site, name: string, etcd: readonly string[]): Promise<Database> {
  const address = addressAt(await freePort());
  const api = addressAt(await freePort());
  const config = patroniConfig(site, { name, address, api, etcd });
  return {
    name,
    role: 'database',
    address,
    api,
    folder: prepareFolder(site, name, { 'patroni.yml': config }),
    user: site.user,
    command: [site.programs.patroni, 'patroni.yml'],
    isReady: async () => (await membersSeenBy(api)).some((member) => member.name === name && isUp(member, site)),
  };
}

/** A standby that could lose commits is not up yet where it has to have them all. */
function isUp({ role, state }: Member, { asynchronous }: Site): boolean {
  return (role !== 'replica' || asynchronous) && ['running', 'streaming'].includes(state);
}

interface Wishes {
  name: string;
  address: string;
  api: string;
  etcd: readonly string[];
}

/**
 * `failsafe_mode` keeps the primary while etcd is away, as long as it reaches all standbys. A primary that was killed
 * comes back as a standby: what it has and the new primary has not is undone by pg_rewind, or all is copied anew.
 */
function patroniConfig(
  { programs, password, folder, asynchronous }: Site,
  { name, address, api, etcd }: Wishes,
): string {
  return `
scope: parley
name: ${name}
restapi: { listen: '${api}', connect_address: '${api}' }
etcd3: { hosts: [${etcd.map((host) => `'${host}'`).join(', ')}] }
log: { level: WARNING }
bootstrap:
  dcs:
    ttl: ${TIMES.ttl}
    loop_wait: ${TIMES.loop_wait}
    retry_timeout: ${TIMES.retry_timeout}
    synchronous_mode: ${!asynchronous}
    failsafe_mode: true
    postgresql:
      use_pg_rewind: true
      remove_data_directory_on_rewind_failure: true
      parameters:
        max_connections: 200
        shared_buffers: 64MB
        max_wal_size: 256MB
        log_min_error_statement: panic
        timezone: UTC
  initdb: [encoding: UTF8, locale: C.UTF-8, data-checksums]
postgresql:
  listen: '${address}'
  connect_address: '${address}'
  data_dir: '${folder}/${name}/data'
  bin_dir: '${programs.postgres}'
  pgpass: '${folder}/${name}/pgpass'
  parameters: { unix_socket_directories: '' }
  authentication:
    superuser: { username: postgres, password: '${password}' }
    replication: { username: replicator, password: '${password}' }
    rewind: { username: rewinder, password: '${password}' }
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
`;
}

/** Creates the role and the database of the nodes. */
export async function createDatabase({ password }: Site, primary: string): Promise<void> {
  const sql = open({ kind: 'url', url: `postgres://postgres:${password}@${primary}/postgres` }, { max: 1 });
  try {
    await sql.unsafe(`create role parley login password '${password}'`);
    await sql.unsafe('create database parley owner parley');
  } finally {
    await sql.end();
  }
}

/** The databases as the first of them that answers sees them; none where no Patroni answers. */
export async function members(databases: readonly Database[]): Promise<Member[]> {
  for (const { api } of databases) {
    const seen = await membersSeenBy(api);
    if (seen.length > 0) return seen;
  }
  return [];
}

async function membersSeenBy(api: string): Promise<Member[]> {
  const text = await fetch(`http://${api}/cluster`, { signal: AbortSignal.timeout(2000) })
    .then((response) => response.text())
    .catch(() => '{}');
  return listIn(asFields(parseJson(text)).members).map((member) => {
    const { name, role, state, lag } = asFields(member);
    return {
      name: String(name),
      role: ROLES[String(role)] ?? 'replica',
      state: String(state),
      lag: typeof lag === 'number' ? lag : null,
    };
  });
}

/** Whether this database takes writes now: its own word, which is true before the others have heard of it. */
function isPrimary({ api }: Database): Promise<boolean> {
  return answers(`http://${api}/primary`);
}

/** The database that says it takes writes; null where none does. */
export async function findPrimary(databases: readonly Database[]): Promise<Database | null> {
  for (const database of databases) if (await isPrimary(database)) return database;
  return null;
}
