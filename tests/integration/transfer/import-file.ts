import { randomUUID } from 'node:crypto';
import { sessions } from '@parley/db/tables/users';
import type { ImportLine } from '@parley/schema/transfer/results';
import { importFile } from '@parley/server/transfer/import';
import type { Person, TestServices } from '../../support/services.ts';

/** Imports a file for a person, as the route of imports does, and returns what it reports: an item each, and the end. */
export async function importFor(
  { deps }: TestServices,
  person: Pick<Person, 'id'>,
  file: unknown,
): Promise<ImportLine[]> {
  const signedIn = { userId: person.id, sid: await signIn({ deps }, person) };
  const lines: ImportLine[] = [];
  for await (const line of importFile(deps, signedIn, arriving(file))) lines.push(line);
  return lines;
}

/** A sign-in that lasts, since a file is read for as long as its sender is signed in. */
async function signIn({ deps }: Pick<TestServices, 'deps'>, { id }: Pick<Person, 'id'>): Promise<string> {
  const family = randomUUID();
  const expiresAt = new Date(Date.now() + 600_000);
  await deps.db.query.insert(sessions).values({ id: randomUUID(), userId: id, family, expiresAt });
  return family;
}

/** In bytes: most documents come in several. */
const PIECE = 1_000;

/** A file as it arrives, in pieces. */
function arriving(file: unknown): ReadableStream<Uint8Array> {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const whole = file instanceof Uint8Array ? file : new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= whole.length) return controller.close();
      controller.enqueue(whole.slice(at, (at += PIECE)));
    },
  });
}
