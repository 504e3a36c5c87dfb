// Prompts: a group of the other system is one prompt here, and the prompts of the group are its versions.
import { prompts } from '@parley/db/tables/prompts';
import { cleanText } from '@parley/schema/clean-text';
import {
  COMMAND,
  commandFrom,
  PROMPT_BODY_MAX,
  PROMPT_COMMAND_MAX,
  PROMPT_TITLE_MAX,
  PROMPT_VERSIONS_MAX,
  splitTags,
} from '@parley/schema/prompts/prompt-rules';
import { and, eq } from 'drizzle-orm';
import * as z from 'zod';
import { derivedId } from '../../platform/derived-id.ts';
import { addExportedPrompt } from '../../prompts/restore-prompts.ts';
import { readDocuments } from './documents.ts';
import { documentOwner } from './people/people.ts';
import { skip, type Report } from './report.ts';
import type { Sharing } from './sharing.ts';
import type { People, Target } from './target.ts';

const Group = z.object({
  _id: z.string().min(1).max(256),
  name: z.string().overwrite(cleanText).trim().min(1).catch('Prompt'),
  command: z.string().nullish().catch(null),
  category: z.string().nullish().catch(null),
  author: z.string().max(256).catch(''),
  productionId: z.string().nullish().catch(null),
  createdAt: z.iso.datetime().optional().catch(undefined),
  updatedAt: z.iso.datetime().optional().catch(undefined),
});
type Group = z.infer<typeof Group>;
const Text = z.object({
  _id: z.string(),
  groupId: z.string(),
  prompt: z.string().overwrite(cleanText),
  createdAt: z.iso.datetime().optional().catch(undefined),
});
type Text = z.infer<typeof Text>;

export async function importPrompts(
  target: Target,
  { people, sharing }: { people: People; sharing: Sharing },
  paths: { prompts: string | null; groups: string | null },
  report: Report,
): Promise<void> {
  const texts = new Map<string, Text[]>();
  for await (const { document } of paths.prompts === null ? [] : readDocuments(paths.prompts)) {
    report.prompts.read += 1;
    const { data } = Text.safeParse(document);
    if (data) texts.set(data.groupId, [...(texts.get(data.groupId) ?? []), data]);
    else skip(report.prompts, 'not readable');
  }
  for await (const { document } of paths.groups === null ? [] : readDocuments(paths.groups)) {
    const userId = documentOwner(document && { ...document, user: document.author }, people, report.promptgroups);
    const { data: group } = Group.safeParse(document);
    const own = texts.get(group?._id ?? '') ?? [];
    if (group) texts.delete(group._id);
    if (!userId || !group) {
      if (userId) skip(report.promptgroups, 'not readable');
      skip(report.prompts, 'of a prompt that is skipped', own.length);
      continue;
    }
    await importGroup({ target, sharing, report }, userId, group, own);
  }
  const lost = [...texts.values()].reduce((sum, list) => sum + list.length, 0);
  skip(report.prompts, 'their group is not in the export', lost);
}

async function importGroup(
  { target, sharing, report }: { target: Target; sharing: Sharing; report: Report },
  userId: string,
  group: Group,
  texts: Text[],
): Promise<void> {
  const sorted = texts.toSorted((a, b) => (a.createdAt ?? '').localeCompare(b.createdAt ?? ''));
  const isSound = ({ prompt }: Text) => prompt.trim() !== '' && prompt.length <= PROMPT_BODY_MAX;
  const sound = sorted.filter(isSound).slice(-PROMPT_VERSIONS_MAX);
  // The one in use is the newest version here: a later draft stands below it.
  const used = sound.find(({ _id }) => _id === group.productionId) ?? sound.at(-1);
  skip(report.prompts, 'empty, or longer than a prompt may be', sorted.length - sorted.filter(isSound).length);
  if (!used) return skip(report.promptgroups, 'they have no text that fits');
  const versions = [...sound.filter((one) => one !== used), used];
  const title = group.name.slice(0, PROMPT_TITLE_MAX);
  const value = promptOf(group, title, versions);
  const isShared = sharing.isPublic('promptGroup', group._id);
  const outcome = target.isDry
    ? await foresee(target, userId, value.id)
    : await addExportedPrompt(target.db, userId, value, () => undefined, isShared);
  if (outcome === 'skipped') {
    skip(report.promptgroups, 'their person has as many prompts as one may have');
    return skip(report.prompts, 'of a prompt that is skipped', versions.length);
  }
  const field = outcome === 'imported' ? 'written' : 'present';
  report.promptgroups[field] += 1;
  report.prompts[field] += versions.length;
  const isPresent = outcome === 'present';
  sharing.note('promptGroup', group._id, {
    name: title,
    owner: group.author,
    isPresent,
    isShared: isPresent ? ((await findPresent(target, userId, value.id))?.isShared ?? false) : isShared,
  });
}

async function foresee(target: Target, userId: string, idThere: string): Promise<'present' | 'imported'> {
  return (await findPresent(target, userId, idThere)) ? 'present' : 'imported';
}

async function findPresent({ db }: Target, userId: string, idThere: string) {
  const isIt = and(eq(prompts.userId, userId), eq(prompts.id, derivedId('import-prompt', userId, idThere)));
  const [row] = await db.query.select({ isShared: prompts.isShared }).from(prompts).where(isIt);
  return row;
}

function promptOf(group: Group, title: string, versions: readonly Text[]) {
  const { createdAt, updatedAt } = group;
  const asked = group.command?.trim().toLowerCase().slice(0, PROMPT_COMMAND_MAX) ?? '';
  return {
    id: `librechat ${group._id}`,
    command: COMMAND.test(asked) ? asked : commandFrom(asked || group.name),
    title,
    body: versions.at(-1)?.prompt ?? '',
    tags: splitTags(group.category ?? ''),
    tools: [],
    presetId: null,
    version: versions.length,
    versions: versions.map((one, at) => ({
      n: at + 1,
      title,
      body: one.prompt,
      ...(one.createdAt && { createdAt: one.createdAt }),
    })),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
  };
}
