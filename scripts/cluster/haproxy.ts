// HAProxy, before the nodes and before the databases.
import { addressAt, freePort, listens, prepareFolder, type Part, type Site } from './part.ts';
import type { Database } from './patroni.ts';

export interface Balancer extends Part {
  /** Where the primary is, and a standby, as `host:port`. */
  primary: string;
  replica: string;
}

/** @param nodes the addresses of the nodes, `host:port` */
export async function balancerPart(
  site: Site,
  databases: readonly Database[],
  nodes: readonly string[],
): Promise<Balancer> {
  const [address, primary, replica] = [
    addressAt(await freePort()),
    addressAt(await freePort()),
    addressAt(await freePort()),
  ];
  const config = haproxyConfig({ address, primary, replica }, databases, nodes);
  return {
    name: 'balancer',
    role: 'balancer',
    address,
    primary,
    replica,
    folder: prepareFolder(site, 'balancer', { 'haproxy.cfg': config }),
    user: site.user,
    command: [site.programs.haproxy, '-db', '-f', 'haproxy.cfg'],
    isReady: () => listens(address),
  };
}

/**
 * The cookie brings a person to the same node while it is there, which spares caches; any node will do. While none is
 * ready, those that live are asked: people get their page and its sentence, not the balancer's. A database that is no
 * longer primary loses its connections: one that was cut off would keep them open without an answer.
 */
export function haproxyConfig(
  { address, primary, replica }: Pick<Balancer, 'address' | 'primary' | 'replica'>,
  databases: readonly Database[],
  nodes: readonly string[],
): string {
  const databaseLines = databases
    .map(({ name, address: at, api }) => `  server ${name} ${at} check port ${api.split(':')[1]}`)
    .join('\n');
  const nodeLines = nodes.map((at, n) => `  server node${n + 1} ${at} check`).join('\n');
  return `
global
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  default-server inter 1s fall 2 rise 1
frontend parley
  bind ${address}
  mode http
  option forwardfor
  use_backend living if { nbsrv(ready) eq 0 }
  default_backend ready
backend ready
  mode http
  option redispatch
  option httpchk GET /ready
  timeout tunnel 1h
  balance hash req.cook(refreshToken)
  hash-type consistent
${nodeLines}
backend living
  mode http
  option redispatch
  option httpchk GET /health
  timeout tunnel 1h
  balance hash req.cook(refreshToken)
  hash-type consistent
${nodeLines}
listen primary
  bind ${primary}
  mode tcp
  option httpchk GET /primary
  default-server on-marked-down shutdown-sessions
${databaseLines}
listen replica
  bind ${replica}
  mode tcp
  option httpchk GET /replica
  default-server on-marked-down shutdown-sessions
${databaseLines}
`;
}
