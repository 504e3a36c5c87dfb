// A host outside: it hears connections, what is asked over them, and packets.
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Outside {
  /** Host and port. */
  at: string;
  /** What it has heard since the last call. */
  heard(): string[];
  /** It ends with the test anyway. */
  close(): void;
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
  let isOpen = true;
  const close = () => {
    if (isOpen) server.close();
    if (isOpen) packets.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { at: `127.0.0.1:${port}`, heard: () => calls.splice(0), close };
}
