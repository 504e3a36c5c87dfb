// etcd, in which Patroni keeps who is primary.
import { addressAt, answers, freePort, prepareFolder, type Part, type Site } from './part.ts';

/** @param count one member, or three that outlive one of them */
export async function etcdParts(site: Site, count: number): Promise<Part[]> {
  const members = [];
  for (let n = 1; n <= count; n++)
    members.push({ name: `etcd${n}`, client: addressAt(await freePort()), peer: addressAt(await freePort()) });
  const all = members.map(({ name, peer }) => `${name}=http://${peer}`).join(',');
  return members.map(({ name, client, peer }) => ({
    name,
    role: 'etcd',
    address: client,
    folder: prepareFolder(site, name),
    user: site.user,
    command: [
      [site.programs.etcd, '--name', name, '--data-dir', 'data'],
      ['--listen-client-urls', `http://${client}`, '--advertise-client-urls', `http://${client}`],
      ['--listen-peer-urls', `http://${peer}`, '--initial-advertise-peer-urls', `http://${peer}`],
      ['--initial-cluster', all, '--initial-cluster-state', 'new', '--log-level', 'warn'],
    ].flat(),
    isReady: () => answers(`http://${client}/health`),
  }));
}
