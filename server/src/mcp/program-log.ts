// The last lines that programs wrote to their standard error: why a tool server does not start stands there, and nowhere
// else.
import type { Stream } from 'node:stream';
import type { Reason } from '@parley/schema/reasons';
import { visibleText } from '@parley/schema/tools/foreign-text';
import type { Logger } from 'pino';
import { maskSecrets } from '../platform/secrets.ts';
import type { McpServerEntry } from './servers.ts';

export interface ProgramLog {
  /** Follows what the program of a server writes, from its start; `secrets` are the values of its variables. */
  follow(id: string, stream: Stream | null, secrets: readonly string[]): void;
  /** The last lines, the oldest first; empty when there are none. */
  lines(id: string): string[];
}

const LINES_MAX = 20;
const LINE_MAX = 300;
const SERVERS_MAX = 100;
export function createProgramLog(): ProgramLog {
  const logs = new Map<string, string[]>();
  return { follow, lines: (id) => [...(logs.get(id) ?? [])] };

  function follow(id: string, stream: Stream | null, secrets: readonly string[]): void {
    const lines: string[] = [];
    logs.delete(id);
    logs.set(id, lines);
    const [oldest] = logs.keys();
    if (logs.size > SERVERS_MAX && oldest !== undefined) logs.delete(oldest);
    let rest = '';
    stream?.on('data', (bytes: Buffer) => {
      const [last = '', ...whole] = `${rest}${bytes.toString()}`.split('\n').toReversed();
      // A line without an end is cut, not kept.
      rest = last.slice(0, LINE_MAX * 4);
      for (const line of whole.toReversed()) add(line);
    });
    stream?.on('end', () => add(rest));
    stream?.on('error', () => undefined);

    function add(line: string): void {
      const text = maskSecrets(visibleText(line).trimEnd(), secrets).slice(0, LINE_MAX);
      if (text === '') return;
      lines.push(text);
      if (lines.length > LINES_MAX) lines.shift();
    }
  }
}

/** Logs with a failure what the program said before. */
export function failureLogger(log: Logger, programLog: ProgramLog) {
  return ({ name, target }: McpServerEntry, { type: reason }: Reason) => {
    if (target.type !== 'stdio') return;
    log.warn({ event: 'mcp.failed', server: name, reason, stderr: programLog.lines(name) }, 'A tool server failed');
  };
}
