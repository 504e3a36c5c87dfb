// A host outside: it hears connections, what is asked over them, and packets.
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Outside {
  /** Host and port. */
  at: string;
  /** What it has heard since the last call. */
  heard(): string[];
}

export async function openOutside(): Promise<Outside> {
  const calls: string[] = [];
  const server = createServer((socket) => {
    calls.push('a connection');
    socket.on('data', (data) => calls.push(String(data).split('\r\n')[0] ?? '')).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const packets = createSocket('udp4', () => calls.push('a packet'));
  await new Promise<void>((resolve) => packets.bind(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    packets.close();
  });
  return { at: `127.0.0.1:${port}`, heard: () => calls.splice(0) };
}
