import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@parley/server/router';
import type { TFunction } from 'i18next';
import { csvLine } from '../../lib/csv.ts';
import { saveFile } from '../../lib/save-file.ts';
import { describeEvent } from './describe-event.ts';

export type AuditEvent = inferRouterOutputs<AppRouter>['admin']['audit'][number];

/** More are not written into one file. */
const EXPORTED_MAX = 10_000;

/** Reads all events, the newest first, and saves them as a file. `read` returns those before an id. */
export async function exportEvents(
  read: (before: number | undefined) => Promise<AuditEvent[]>,
  t: TFunction,
): Promise<void> {
  const lines = [csvLine(['at', 'event', 'actorId', 'actor', 'userId', 'ip', 'details', 'sentence'])];
  let before: number | undefined;
  for (;;) {
    const page = await read(before);
    for (const one of page) lines.push(lineOf(one, t));
    before = page.at(-1)?.id;
    if (before === undefined || lines.length > EXPORTED_MAX) break;
  }
  saveFile(new Blob(lines, { type: 'text/csv' }), 'audit.csv');
}

function lineOf(one: AuditEvent, t: TFunction): string {
  const { at, event, actorId, actor, userId, ip, details } = one;
  const sentence = describeEvent(one, t).replaceAll(/[\u2068\u2069]/g, '');
  return csvLine([at, event, actorId ?? '', actor ?? '', userId ?? '', ip ?? '', JSON.stringify(details), sentence]);
}
