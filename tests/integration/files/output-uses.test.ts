import { randomUUID } from 'node:crypto';
import { files, fileUses } from '@parley/db/tables/files';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { noteOutputUses } from '@parley/server/files/note-uses';
import { presentAttachment, type FileRow } from '@parley/server/files/present';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

it('a file that a tool has made is kept as long as the reply; one of another user stays as it is', async () => {
  const context = 'assistants_output' as const;
  const own = await keepTestFile(services.deps, alice.id, { context });
  const foreign = await keepTestFile(services.deps, bob.id, { context });
  expect(own.expiresAt).not.toBeNull();
  const messageId = randomUUID();
  const parts = [{ type: 'text', text: 'Here:' } as const, callWith([own, foreign])];
  await services.deps.db.query.transaction((tx) => noteOutputUses(tx, alice.id, messageId, parts));
  expect(await usesOf(own)).toEqual([{ kind: 'message', ref: messageId, expiresAt: null }]);
  expect(await usesOf(foreign)).toEqual([]);
});

function callWith(made: FileRow[]): MessagePart {
  const call: ToolCall = {
    id: '0:0',
    kind: 'code_interpreter',
    name: 'execute_python',
    input: '{}',
    output: '',
    progress: 1,
    outputs: [{ type: 'logs', text: 'done' }, ...made.map(presentAttachment)],
  };
  return { type: 'tool_call', call };
}

function usesOf({ id }: FileRow) {
  return services.deps.db.query
    .select({ kind: fileUses.kind, ref: fileUses.ref, expiresAt: files.expiresAt })
    .from(fileUses)
    .innerJoin(files, eq(files.id, fileUses.fileId))
    .where(eq(fileUses.fileId, id));
}
