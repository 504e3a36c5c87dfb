// PgBouncer in transaction mode: many connections of nodes share few of the primary.
import { spawnSync } from 'node:child_process';
import { addressAt, freePort, listens, prepareFolder, type Part, type Site } from './part.ts';

/** The first version that knows the names of statements, and how many it keeps. */
const NAMES_SINCE = 21;
const NAMES_KEPT = 300;

/** @param primary where the primary is, `host:port` */
export async function poolerPart(site: Site, primary: string): Promise<Part> {
  const port = await freePort();
  const address = addressAt(port);
  const files = {
    'pgbouncer.ini': pgbouncerConfig(port, primary.split(':')[1] ?? '', versionOf(site.programs.pgbouncer)),
    'users.txt': `"parley" "${site.password}"\n`,
  };
  return {
    name: 'pooler',
    role: 'pooler',
    address,
    folder: prepareFolder(site, 'pooler', files),
    user: site.user,
    command: [site.programs.pgbouncer, 'pgbouncer.ini'],
    isReady: () => listens(address),
  };
}

/** Of `1.<version>`. */
function versionOf(program: string): number {
  const said = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout;
  return Number(/PgBouncer 1\.(\d+)/.exec(said)?.[1]);
}

/** After a failed sign-in PgBouncer waits a second, not fifteen: a failover is over sooner. */
function pgbouncerConfig(port: number, primaryPort: string, version: number): string {
  return `
[databases]
parley = host=127.0.0.1 port=${primaryPort} dbname=parley
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = users.txt
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
server_login_retry = 1
ignore_startup_parameters = extra_float_digits
log_connections = 0
log_disconnections = 0
${version >= NAMES_SINCE ? `max_prepared_statements = ${NAMES_KEPT}\n` : ''}`;
}
