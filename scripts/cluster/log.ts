// The errors in the logs of a cluster's nodes.
import { readFileSync } from 'node:fs';
import { asFields, parseJson } from '@parley/schema/json';
import type { Cluster } from './supervisor.ts';

/** How often each event was logged as an error, since `before` where it is given; the last one's message beside it. */
export function countErrors({ parts }: Cluster, before?: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { role, folder } of parts) if (role === 'node') addErrors(counts, readFileSync(`${folder}.log`, 'utf8'));
  const newer = [...counts].map(([event, count]) => [event, count - (before?.get(event) ?? 0)] as const);
  return new Map(newer.filter(([, count]) => count > 0));
}

function addErrors(counts: Map<string, number>, log: string): void {
  for (const line of log.split('\n')) {
    if (line === '') continue;
    const { level, event } = asFields(parseJson(line));
    if (level === 'info' || level === 'debug' || level === 'warn') continue;
    // What is no JSON was printed by a process that fails.
    const name = typeof event === 'string' ? event : line.slice(0, 120);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}
