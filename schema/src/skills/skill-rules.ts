// Tests of this room: tests/unit/schema/skill-rules.test.ts.

// Skills: instructions that a model reads when it needs them, with files beside them. Without zod, for the page.

/** A skill without its instructions, as lists show it. */
export interface SkillHead {
  ownerId: string;
  id: string;
  /** Also the name of its folder in the code interpreter. */
  name: string;
  /** When a model should read it. */
  description: string;
  /** Whether everybody on this server can use it. */
  isShared: boolean;
  /** Whether it came from a file, so that it is not its owner's own word. */
  isImported: boolean;
  /** Its owner's name; null for the person's own. */
  ownerName: string | null;
  /** By this a chat, a preset, a project or an assistant switches it on. */
  key: string;
  updatedAt: string;
}

export interface Skill extends SkillHead {
  body: string;
  /** Counts the saves of name, description and instructions. */
  version: number;
  files: SkillFile[];
}

/** A file beside `SKILL.md`. */
export interface SkillFile {
  path: string;
  bytes: number;
}

/** Earlier or present instructions of a skill. */
export interface SkillVersion {
  n: number;
  name: string;
  description: string;
  body: string;
  createdAt: string;
}

/** What an import of a ZIP file did. */
export interface ImportedSkill {
  skill: Skill;
  /** The name in the file, where another skill had it already. */
  renamedFrom: string | null;
  /** Whether the instructions were longer than they may be: the rest is left out. */
  isCut: boolean;
}

export const SKILLS_MAX = 200;
/** The newest are kept. */
export const SKILL_VERSIONS_MAX = 20;
export const SKILL_NAME_MAX = 64;
export const SKILL_DESCRIPTION_MAX = 1024;
/** Characters of the instructions that are kept. */
export const SKILL_BODY_MAX = 200_000;
/** Characters of a text that a model is shown at once. */
export const SKILL_SHOWN_MAX = 40_000;
export const SKILL_FILES_MAX = 100;
/** Of all files of a skill together. */
export const SKILL_BYTES_MAX = 10 * 1024 * 1024;
/** Skills that an answer is offered. */
export const SKILLS_OFFERED_MAX = 50;
export const SKILL_PATH_MAX = 200;
/** The file that makes a folder a skill. */
export const SKILL_MAIN_FILE = 'SKILL.md';
/** Where files of skills lie in the code interpreter. */
export const SKILLS_FOLDER = '/skills';

export const SKILL_NAME = /^[a-z0-9][a-z0-9-]*$/;

/** Sentences of the form, by field. */
export const skillSentences = {
  name: 'A name has lowercase letters, digits and hyphens, and begins with a letter or a digit',
  description: 'A description is required: it tells models when to read the skill',
  body: 'Instructions are required',
} as const;

/** The id of the tool that reads skills, and of one whose skills somebody else has written. */
export const SKILL = 'skill';
export const FOREIGN_SKILL = 'foreign_skill';

const KEY = /^skill:(?:([0-9a-f-]{36}):)?([0-9a-f-]{36})$/;

/** Names a skill where tools are chosen. The owner's own needs no owner, so that it also works in another account. */
export function skillKey({ ownerId, id }: { ownerId: string | null; id: string }): string {
  return ownerId === null ? `skill:${id}` : `skill:${ownerId}:${id}`;
}

/** Null for the key of another tool. `ownerId` is null for a skill of the person who chose it. */
export function readSkillKey(key: string): { ownerId: string | null; id: string } | null {
  const [, ownerId = null, id] = KEY.exec(key) ?? [];
  return id === undefined ? null : { ownerId, id };
}

/** Why a file of a skill cannot lie at this path, in English; null where it can. */
export function pathProblem(path: string): string | null {
  if (path === '' || path.length > SKILL_PATH_MAX) return `A path has 1 to ${SKILL_PATH_MAX} characters`;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'A path begins with no / and no drive';
  if (/[\\\p{Cc}]/u.test(path)) return 'A path has no backslash and no control characters';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'A path names no folder above it';
  if (foldedPath(path) === foldedPath(SKILL_MAIN_FILE)) return `${SKILL_MAIN_FILE} is the skill itself`;
  return null;
}

/** Paths that some systems take for one have the same. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The first path that another one hides: the same but for case, or a folder of the other's name. */
export function collidingPath(paths: readonly string[]): string | null {
  const taken = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const folded = foldedPath(path);
    const above = folded.split('/').slice(0, -1);
    const parents = above.map((_, n) => above.slice(0, n + 1).join('/'));
    if (taken.has(folded) || folders.has(folded) || parents.some((parent) => taken.has(parent))) return path;
    taken.add(folded);
    for (const parent of parents) folders.add(parent);
  }
  return null;
}

/** A name made of another one: `PDF Forms!` is `pdf-forms`. */
export function skillNameFrom(given: string): string {
  const letters = given.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const words = letters.split(/[^a-z0-9]/).filter((word) => word !== '');
  return words.join('-').slice(0, SKILL_NAME_MAX).replace(/-$/, '') || 'skill';
}

/** Begins what a call returns of a file beside the instructions. */
export const SKILL_FILE_MARK = '[A file of the skill';

/**
 * Whether a call has read nothing but what the person wrote here themselves: the instructions of their own skills, not
 * their files. It is told by what came back, which no model can write.
 */
export function isOfOwnSkill({
  from,
  output,
}: {
  from?: { source: string; id: string } | undefined;
  output?: string | null | undefined;
}): boolean {
  return from?.source === 'skill' && from.id === SKILL && output?.startsWith(SKILL_FILE_MARK) !== true;
}
