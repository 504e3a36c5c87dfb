// Imports the ZIP file of an export of everything: its files first, then assistants, pictures, presets, prompts, skills, folders
// and settings, then the conversations, which name them by their new ids, and what was not sent yet in these. What is here
// already is left alone, so that a file may be imported again. Until the conversations are stored the files expire like uploads that nobody sends: a process that dies in the
// middle leaves only what the sweep finds.
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PresetSettings } from '@parley/schema/settings/presets';
import { COUNTED, type CountedKind, type Counts, type ImportLine } from '@parley/schema/transfer/results';
import * as z from 'zod';
import { arrivalsFolder } from '../../storage/arrivals.ts';
import { importConvos, type Chunks, type Ending, type Importer } from '../import-convos.ts';
import { restorePresets } from '../../presets/restore-presets.ts';
import { relinkSettings, type StoredLinks } from '../stored-links.ts';
import { restoreClaude } from './claude-belongings.ts';
import { createPictureStore } from './keep-contents.ts';
import { openArchive, receiveArchive, type Archive } from './open-archive.ts';
import { restoreAssistants } from './restore-assistants.ts';
import { restoreAvatars } from './restore-avatars.ts';
import { createFileRestore, type FileRestore } from './restore-files.ts';
import { restoreAllFolders, restoreSettings } from './restore-settings.ts';
import { restoreLists } from '../restore-lists.ts';
import { restoreNaming } from './restore-naming.ts';
import { restoreUnsent } from './restore-unsent.ts';
import type { Actions } from '../../actions/actions.ts';
import type { Retrieval } from '../../retrieval/retrieval.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';

export interface ImportServices extends FileSaverDeps {
  actions: Actions;
  retrieval: Retrieval;
}

/** Yields a line for each file and conversation, and what else there is to tell. */
export async function* importArchive(
  deps: ImportServices,
  importer: Importer,
  chunks: Chunks,
): AsyncGenerator<ImportLine, Ending> {
  const folder = arrivalsFolder(deps.config);
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  try {
    const fault = await receiveArchive(deps.config, chunks, path);
    if (fault) return { items: 0, fault: fault === 'cut_off' ? 'damaged_zip' : fault };
    const archive = await openArchive(deps.config, path);
    if ('fault' in archive) {
      if (archive.unread) yield { index: 0, title: null, outcome: 'skipped', ...archive.unread };
      return { items: 0, fault: archive.fault };
    }
    return yield* restore(deps, importer, archive, path);
  } finally {
    await rm(path, { force: true });
  }
}

async function* restore(
  deps: ImportServices,
  importer: Importer,
  archive: Archive,
  path: string,
): AsyncGenerator<ImportLine, Ending> {
  const { zip, conversations } = archive;
  const files = createFileRestore(deps, importer.userId, archive, path);
  const total = conversations.reduce((sum, name) => sum + zip.sizeOf(name).unpacked, files.bytes);
  let done = 0;
  for await (const { line, bytes } of files.restore()) {
    done += bytes;
    yield line;
    yield progress();
    if (!(await importer.isSignedIn())) return { items: 0, fault: 'signed_out' };
  }
  deps.retrieval.wake();
  const stored = yield* restoreBelongings(deps, importer.userId, archive, files);
  let items = 0;
  for (const name of conversations) {
    const ending = yield* restoreConvos(name, items);
    items += ending.items;
    if (ending.fault !== null) return { items, fault: ending.fault };
  }
  yield* linesOf(await restoreUnsent(deps.db, importer.userId, zip, stored));
  yield* linesOf(await restoreNaming(deps.db, importer.userId, archive, stored));
  await files.save();
  return { items, fault: null };

  /** An archive may name an entry twice, or one that is not counted. */
  function progress(): ImportLine {
    return { kind: 'progress', done: Math.min(done, total), total };
  }

  /** `before` is the number of conversations in earlier entries. */
  async function* restoreConvos(name: string, before: number): AsyncGenerator<ImportLine, Ending> {
    const convos = importConvos(deps, importer, counted(name), stored);
    for (;;) {
      const next = await convos.next();
      if (next.done) return next.value;
      await files.hold();
      yield { ...next.value, index: before + next.value.index };
      yield progress();
    }
  }

  async function* counted(name: string): Chunks {
    for await (const chunk of zip.read(name)) {
      done += chunk.length;
      yield chunk;
    }
    return null;
  }
}

/** What conversations use beside their files, and the person's settings. */
async function* restoreBelongings(
  deps: ImportServices,
  userId: string,
  { zip, presets, folders, settings }: Archive,
  files: FileRestore,
): AsyncGenerator<ImportLine, StoredLinks> {
  const assistants = await restoreAssistants(deps, userId, zip, files.find);
  yield* linesOf(assistants.counts);
  for await (const line of restoreAvatars(deps, userId, zip, assistants.ids)) {
    await files.hold();
    yield line;
  }
  const stored: StoredLinks = {
    file: files.find,
    assistant: (id) => assistants.ids.get(id),
    keepPicture: createPictureStore(deps, userId),
  };
  const relink = (own: PresetSettings) => relinkSettings(own, stored);
  const list = z.array(z.unknown()).catch([]).parse(presets);
  const { count, ids } = await restorePresets(deps.db, userId, list, { keepsIds: false, relink });
  yield* linesOf({ presets: count, ...(await restoreLists(deps.db, userId, zip, { presetIds: ids, files })) });
  await restoreAllFolders(deps.db, userId, folders, { presetIds: ids, file: files.find });
  for await (const line of restoreClaude(deps, userId, zip, files)) {
    await files.hold();
    yield line;
  }
  const settingsLine = await restoreSettings(deps.db, userId, settings);
  if (settingsLine) yield settingsLine;
  return stored;
}

/** None for what there is nothing to tell of. */
function linesOf(counts: Partial<Record<CountedKind, Counts>>): ImportLine[] {
  return COUNTED.flatMap((kind) => {
    const { imported = 0, present = 0, skipped = 0 } = counts[kind] ?? {};
    return imported + present + skipped > 0 ? [{ kind, imported, present, skipped }] : [];
  });
}
