// Who else may use an agent or a prompt. Version 0.8 has an entry for each person, group and role, and one for everybody;
// here an assistant or a prompt is its owner's alone, or everybody's. Nobody may use more than before: what was shared
// with some people stays with its owner, and the report names who loses it.
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import * as z from 'zod';
import { findCollectionFile, readDocuments } from './documents.ts';
import { skip, type Count, type Report } from './report.ts';

const KINDS = { agent: 'agent', promptGroup: 'prompt' } as const;
export type SharedKind = keyof typeof KINDS;

/** What became of an agent or a prompt. */
export interface Brought {
  name: string;
  /** The id there of its owner. */
  owner: string;
  isShared: boolean;
  /** It was here before, and is left as its owner has it. */
  isPresent: boolean;
}

export interface Sharing {
  /** Whether everybody could use it there. */
  isPublic(kind: SharedKind, id: string): boolean;
  /** Notes one that is here now. */
  note(kind: SharedKind, id: string, brought: Brought): void;
  /** Counts the entries, and names who can no longer do what. */
  tell(report: Report): void;
}

const Entry = z.object({
  principalType: z.enum(['user', 'group', 'role', 'public']),
  principalId: z.string().max(256).nullish().catch(null),
  resourceType: z.string().max(256),
  resourceId: z.string().max(256),
  permBits: z.int().nullish().catch(null),
  roleId: z.string().nullish().catch(null),
});
type Entry = z.infer<typeof Entry>;

const Role = z.object({ _id: z.string(), permBits: z.int() });
const Person = z.object({ _id: z.string(), email: z.string(), idOnTheSource: z.string().nullish().catch(null) });
const Group = z.object({
  _id: z.string(),
  name: z.string().catch('without a name'),
  memberIds: z.array(z.string()).catch([]),
});
type Group = z.infer<typeof Group>;

/** Bits of `permBits`. */
const VIEW = 1;
const EDIT = 2;
const SHARE = 8;

interface Read {
  entries: Entry[];
  /** Addresses of people by their ids there, and by those that the directory has. */
  addresses: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, Group>;
}

export async function readSharing(folder: string, { aclentries: count }: Report): Promise<Sharing> {
  const read = await readEntries(folder, count);
  const open = new Set(read.entries.filter(isForEverybody).map(keyOf));
  const brought = new Map<string, Brought>();
  return {
    isPublic: (resourceType, resourceId) => open.has(keyOf({ resourceType, resourceId })),
    note: (resourceType, resourceId, one) => void brought.set(keyOf({ resourceType, resourceId }), one),
    tell: (report) => tell(read, brought, report),
  };
}

function keyOf({ resourceType, resourceId }: Pick<Entry, 'resourceType' | 'resourceId'>): string {
  return `${resourceType} ${resourceId}`;
}

function isForEverybody({ principalType, permBits }: Entry): boolean {
  return principalType === 'public' && may(permBits, VIEW);
}

function may(bits: number | null | undefined, what: number): boolean {
  return ((bits ?? 0) & what) !== 0;
}

async function readEntries(folder: string, count: Count): Promise<Read> {
  const roles = new Map<string, number>();
  for await (const { _id, permBits } of readAll(folder, 'accessroles', Role)) roles.set(_id, permBits);
  const entries: Entry[] = [];
  for await (const entry of readAll(folder, 'aclentries', Entry, count))
    entries.push({ ...entry, permBits: entry.permBits ?? roles.get(entry.roleId ?? '') ?? VIEW });
  const addresses = new Map<string, string>();
  const groups = new Map<string, Group>();
  if (entries.length === 0) return { entries, addresses, groups };
  for await (const { _id, email, idOnTheSource } of readAll(folder, 'users', Person)) {
    addresses.set(_id, email);
    if (idOnTheSource) addresses.set(idOnTheSource, email);
  }
  for await (const group of readAll(folder, 'groups', Group)) groups.set(group._id, group);
  return { entries, addresses, groups };
}

async function* readAll<T>(folder: string, name: string, schema: z.ZodType<T>, count?: Count): AsyncGenerator<T, void> {
  const path = await findCollectionFile(folder, name);
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    if (count) count.read += 1;
    const { data } = schema.safeParse(document);
    if (data !== undefined) yield data;
    else if (count) skip(count, 'not readable');
  }
}

/** Whom the report names, by what they could use or change. */
type Losers = Map<string, string[]>;

function tell(read: Read, brought: ReadonlyMap<string, Brought>, report: Report): void {
  const losers: Record<'use' | 'change', Losers> = { use: new Map(), change: new Map() };
  const groups = new Set<Group>();
  for (const entry of read.entries) {
    const one = brought.get(keyOf(entry));
    const why = whyLost(entry, one, read);
    if (why === null) report.aclentries[one?.isPresent ? 'present' : 'written'] += 1;
    else skip(report.aclentries, why);
    if (!one || (why !== SOME && why !== ONLY_USE)) continue;
    const lost = losers[why === SOME ? 'use' : 'change'];
    const what = `${wordOf(entry)} ${quoted(one.name)} of ${shown(read.addresses.get(one.owner) ?? one.owner)}`;
    lost.set(what, [...(lost.get(what) ?? []), whoIs(entry, read)]);
    const group = entry.principalType === 'group' ? read.groups.get(entry.principalId ?? '') : undefined;
    if (group) groups.add(group);
  }
  addNotes(report, [...brought], read, losers, groups);
}

const OFF = 'shared with everybody, which is switched off here for assistants';
const LEFT = 'shared with everybody, and here before: its owner shares it';
const SOME = 'for some people only; the report names them below';
const ONLY_USE = 'to change it, which only its owner can here; the report names them below';

/** Why an entry has no effect here; null for one that has. */
function whyLost(entry: Entry, brought: Brought | undefined, { addresses }: Read): string | null {
  const { principalType, principalId, resourceType, permBits } = entry;
  if (!isKind(resourceType)) return 'of what has no place here, or is shared anew';
  if (!brought) return 'of an agent or a prompt that does not come along';
  if (principalType === 'user' && principalId === brought.owner) return null;
  if (principalType === 'user' && !addresses.has(principalId ?? '')) return 'for a person who is not in the export';
  if (isForEverybody(entry) && !brought.isShared) return brought.isPresent ? LEFT : OFF;
  if (!brought.isShared) return SOME;
  return may(permBits, EDIT) ? ONLY_USE : null;
}

function isKind(type: string): type is SharedKind {
  return Object.hasOwn(KINDS, type);
}

function wordOf({ resourceType }: Entry): string {
  return isKind(resourceType) ? KINDS[resourceType] : resourceType;
}

function whoIs({ principalType, principalId, permBits }: Entry, { addresses, groups }: Read): string {
  const role = may(permBits, SHARE) ? 'owner' : may(permBits, EDIT) ? 'editor' : 'viewer';
  const id = principalId ?? '';
  switch (principalType) {
    case 'user':
      return `${shown(addresses.get(id) ?? id)} (${role})`;
    case 'group':
      return `group ${quoted(groups.get(id)?.name ?? id)} (${role})`;
    case 'role':
      return `role ${shown(id)} (${role})`;
    case 'public':
      return `everybody (${role})`;
  }
}

const NAME_MAX = 80;
const shown = (text: string) => cutText(visibleText(text), NAME_MAX);
const quoted = (text: string) => `"${shown(text)}"`;

function addNotes(
  { notes }: Report,
  brought: readonly (readonly [string, Brought])[],
  read: Read,
  { use, change }: Record<'use' | 'change', Losers>,
  groups: ReadonlySet<Group>,
): void {
  const lines = (losers: Losers) => [...losers].map(([what, who]) => `  ${what}: ${who.join(', ')}`);
  const open = new Set(read.entries.filter(isForEverybody).map(keyOf));
  const those = (isIt: (one: Brought) => boolean) =>
    brought.flatMap(([key, one]) => (open.has(key) && isIt(one) ? [quoted(one.name)] : [])).join(', ');
  const off = those(({ isShared, isPresent }) => !isShared && !isPresent);
  const left = those(({ isShared, isPresent }) => !isShared && isPresent);
  if (off !== '')
    notes.push(`Agents that everybody could use, which is switched off here (ALLOW_SHARED_ASSISTANTS): ${off}.`);
  if (left !== '') notes.push(`What everybody could use, and was here before: its owners share it. ${left}.`);
  if (use.size > 0)
    notes.push(
      [
        "Some people could use these there, and cannot here, where an assistant or a prompt is its owner's or everybody's. Their owners can share them with everybody:",
        ...lines(use),
      ].join('\n'),
    );
  if (change.size > 0)
    notes.push(['Everybody can use these. Some people could also change them there:', ...lines(change)].join('\n'));
  if (groups.size > 0)
    notes.push(['In these groups are:', ...[...groups].map((group) => membersOf(group, read))].join('\n'));
}

/** A directory may have groups of thousands. */
const MEMBERS_MAX = 50;

function membersOf({ name, memberIds }: Group, { addresses }: Read): string {
  const members = memberIds.map((id) => shown(addresses.get(id) ?? id));
  const more = members.length > MEMBERS_MAX ? ` and ${members.length - MEMBERS_MAX} more` : '';
  return `  ${quoted(name)}: ${members.length === 0 ? 'nobody' : members.slice(0, MEMBERS_MAX).join(', ')}${more}`;
}
