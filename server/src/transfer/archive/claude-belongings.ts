// What Claude's export has beside conversations: projects become folders with their instructions and documents. What Claude remembers of a person has no place here, and is said.
import { FOLDER_INSTRUCTIONS_MAX, FOLDER_NAME_MAX } from '@parley/schema/convos/folder-rules';
import type { Attachment } from '@parley/schema/messages/messages';
import { ClaudeProject } from '@parley/schema/transfer/claude';
import type { ArchiveLine } from '@parley/schema/transfer/results';
import type { Zip } from '../../platform/zip/read-zip.ts';
import { itemsOf } from './items-of.ts';
import { keepContents } from './keep-contents.ts';
import { CLAUDE_LISTS } from './open-archive.ts';
import type { FileRestore } from './restore-files.ts';
import { restoreAllFolders } from './restore-settings.ts';
import { presentAttachment } from '../../files/present.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';

/** Yields a line for each document, and for what stays behind. */
export async function* restoreClaude(
  deps: FileSaverDeps,
  userId: string,
  zip: Zip,
  files: Pick<FileRestore, 'keepLasting'>,
): AsyncGenerator<ArchiveLine, void> {
  const presetIds = new Map<string, string>();
  for await (const value of itemsOf(zip, CLAUDE_LISTS.projects)) {
    const { data: project } = ClaudeProject.safeParse(value);
    if (!project || project.is_starter_project) continue;
    const name = (project.name ?? 'Claude project').slice(0, FOLDER_NAME_MAX);
    const isLong = project.prompt_template.length > FOLDER_INSTRUCTIONS_MAX;
    const instructions = isLong ? '' : project.prompt_template;
    const kept = new Map<string, Attachment>();
    // Instructions that are too long for a folder are kept as a file.
    const docs = isLong
      ? [...project.docs, { filename: `${name}.md`, content: project.prompt_template }]
      : project.docs;
    for (const { filename, content } of docs) {
      const file = filename ?? `${name}.txt`;
      const outcome = await keepContents(deps, userId, Buffer.from(content), file);
      if ('row' in outcome) {
        files.keepLasting(outcome.row.id);
        kept.set(outcome.row.id, presentAttachment(outcome.row));
      }
      yield 'reason' in outcome
        ? { kind: 'file', name: file, outcome: 'skipped', reason: outcome.reason }
        : { kind: 'file', name: file, outcome: outcome.isNew ? 'imported' : 'present' };
    }
    const folder = { id: project.uuid, name, color: null, instructions, fileIds: [...kept.keys()] };
    await restoreAllFolders(deps.db, userId, [folder], { presetIds, file: (id) => kept.get(id) });
  }
  if (zip.has(CLAUDE_LISTS.memories) && zip.sizeOf(CLAUDE_LISTS.memories).unpacked > '[]'.length + 1)
    yield { kind: 'file', name: CLAUDE_LISTS.memories, outcome: 'skipped', reason: 'memories' };
}
