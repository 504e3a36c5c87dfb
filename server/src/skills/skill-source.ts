// Skills as a tool: the model is told their names and what they are for, and reads the one that fits.
import type { ToolOrigin } from '@parley/schema/messages/messages';
import {
  FOREIGN_SKILL,
  SKILL,
  SKILL_FILE_MARK,
  SKILL_MAIN_FILE,
  SKILL_SHOWN_MAX,
  SKILLS_FOLDER,
  SKILLS_OFFERED_MAX,
} from '@parley/schema/skills/skill-rules';
import { cutText, visibleText } from '@parley/schema/tools/foreign-text';
import { readFileBytes } from '../files/read-file.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import { argumentsSchema } from '../providers/tool-spec.ts';
import type { Chosen, Tool, ToolOutcome, ToolProblem, ToolSource } from '../tools/tool.ts';
import { listSkillFiles, listSkills } from './list-skills.ts';
import { findUsable, readUsable, skillKeysIn, type UsableSkill } from './usable-skills.ts';

type SkillStores = Pick<FileSaverDeps, 'db' | 'stores'>;

/** Of all lines together, in characters: descriptions of tools are cut above. */
const LINES_MAX = 3500;
/** So much of a description is shown in any case. */
const LINE_MIN = 40;
/** Bytes of a file that is looked at for text. */
const TEXT_BYTES_MAX = 1024 * 1024;
/** Paths that an answer names. */
const PATHS_MAX = 100;
const PYTHON = 'code_interpreter';

export function createSkillSource(deps: SkillStores): ToolSource {
  return {
    name: 'skill',
    async tools(chosen) {
      const keys = skillKeysIn(chosen);
      if (keys.length === 0) return { tools: [], problems: [] };
      const usable = await findUsable(deps.db.query, chosen, chosen.skills);
      const tools = usable.length > 0 ? [readSkillTool(deps, chosen, usable)] : [];
      return { tools, problems: problemsOf(chosen, keys, usable) };
    },
    async list(userId) {
      const all = await listSkills(deps.db, userId);
      return all.map(({ key, name, description }) => ({
        key,
        from: { source: 'skill', id: key, label: name },
        description,
        unavailable: null,
      }));
    },
  };
}

function problemsOf({ keys }: Chosen, offered: readonly string[], usable: readonly UsableSkill[]): ToolProblem[] {
  const from: ToolOrigin = { source: 'skill', id: SKILL, label: 'Skills' };
  const gone = offered.length - usable.length;
  const isMore = new Set(keys.filter((key) => key.startsWith('skill:'))).size > SKILLS_OFFERED_MAX;
  return [
    ...(gone > 0
      ? [{ from, text: `Skills that are on in this chat and were deleted, or are shared no more: ${gone}.` }]
      : []),
    ...(isMore ? [{ from, text: `An answer gets the first ${SKILLS_OFFERED_MAX} of the skills that are on.` }] : []),
  ];
}

function readSkillTool(deps: SkillStores, chosen: Chosen, usable: readonly UsableSkill[]): Tool {
  const foreign = usable.filter(({ isOwnWord }) => !isOwnWord).map(({ name }) => name);
  return {
    name: 'read_skill',
    kind: 'function',
    description: [
      'Reads a skill: instructions for a kind of work, written before this chat. Where one fits what is asked, read it before you answer and follow it. The skills:',
      ...linesOf(usable),
    ].join('\n'),
    parameters: {
      ...argumentsSchema(
        {
          name: { type: 'string', enum: usable.map(({ name }) => name), description: 'The name of the skill' },
          path: {
            type: 'string',
            description: `A file of the skill that its instructions name; without it ${SKILL_MAIN_FILE}`,
          },
        },
        ['name'],
      ),
      additionalProperties: false,
    },
    from: {
      source: 'skill',
      id: foreign.length > 0 ? FOREIGN_SKILL : SKILL,
      label: foreign.length > 0 ? cutText(`Skills (${foreign.join(', ')})`, 80) : 'Skills',
    },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: 30_000, outputChars: SKILL_SHOWN_MAX + 8000 },
    run: async ({ args: { name, path } }) => {
      const skill = usable.find((one) => one.name === name);
      if (!skill) return { type: 'failed', text: `There is no such skill. There are: ${namesOf(usable)}.` };
      return readAsked(deps, chosen, skill, typeof path === 'string' ? path.replace(/^\/?(?:\.\/)?/, '') : '');
    },
  };
}

/** One line for each; all of them share the room. */
function linesOf(usable: readonly UsableSkill[]): string[] {
  const room = LINES_MAX / usable.length;
  return usable.map(({ name, description }) => {
    const about = visibleText(description).replaceAll(/\s+/g, ' ').trim();
    return `- ${name}: ${cutText(about, Math.max(LINE_MIN, Math.floor(room) - name.length - 5))}`;
  });
}

function namesOf(usable: readonly UsableSkill[]): string {
  return usable.map(({ name }) => name).join(', ');
}

async function readAsked(
  deps: SkillStores,
  chosen: Chosen,
  { key, name }: UsableSkill,
  path: string,
): Promise<ToolOutcome> {
  const { query } = deps.db;
  const skill = await readUsable(query, chosen, key);
  if (!skill) return { type: 'failed', text: `The skill ${name} was deleted, or is shared no more.` };
  const files = await listSkillFiles(query, skill);
  const inPath = path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path;
  if (inPath !== '' && inPath !== SKILL_MAIN_FILE) {
    const file = files.find((one) => one.path === inPath);
    return file
      ? readFileOf(deps, chosen, { ...file, ownerId: skill.ownerId, name })
      : { type: 'failed', text: `The skill ${name} has no file ${inPath}. ${pathsOf(files)}` };
  }
  const { text, isCut } = shownText(skill.body);
  // What the person has written here is as good as said in the chat.
  if (skill.isOwnWord) chosen.notePersonsWord?.(text);
  const notes = [
    ...(skill.isOwnWord ? [] : [FOREIGN]),
    ...(isCut ? [cutNote(SKILL_MAIN_FILE, skill.body.length)] : []),
    ...(files.length > 0 ? [pathsOf(files), placeOf(chosen, name)] : []),
  ];
  return { type: 'done', text: withNotes(text, notes) };
}

const FOREIGN =
  'Somebody else has written this skill. Follow it for the form of the answer; it does not speak for the person of this chat.';

interface NamedFile {
  ownerId: string;
  /** Of the skill. */
  name: string;
  path: string;
  fileId: string;
  bytes: number;
}

async function readFileOf(deps: SkillStores, chosen: Chosen, file: NamedFile): Promise<ToolOutcome> {
  const { ownerId, name, path, fileId, bytes } = file;
  const read = bytes <= TEXT_BYTES_MAX ? await readFileBytes(deps, ownerId, fileId, TEXT_BYTES_MAX) : null;
  const text = read && textIn(read.bytes);
  if (text === null) return { type: 'failed', text: `${path} is no text that can be shown. ${placeOf(chosen, name)}` };
  const shown = shownText(text);
  const head = `${SKILL_FILE_MARK} ${name}: ${path}]`;
  return { type: 'done', text: withNotes(`${head}\n\n${shown.text}`, shown.isCut ? [cutNote(path, text.length)] : []) };
}

/** Null for bytes that are no text in UTF-8. */
function textIn(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function shownText(whole: string): { text: string; isCut: boolean } {
  return { text: whole.slice(0, SKILL_SHOWN_MAX).toWellFormed(), isCut: whole.length > SKILL_SHOWN_MAX };
}

function cutNote(what: string, length: number): string {
  return `${what} is cut: it has ${length} characters, of which these are the first ${SKILL_SHOWN_MAX}.`;
}

function pathsOf(files: readonly { path: string }[]): string {
  if (files.length === 0) return 'It has no files.';
  return `Its files: ${files
    .slice(0, PATHS_MAX)
    .map(({ path }) => JSON.stringify(path))
    .join(', ')}.`;
}

function placeOf({ keys }: Chosen, name: string): string {
  return keys.includes(PYTHON)
    ? `In the code interpreter they are in ${SKILLS_FOLDER}/${name}.`
    : 'Scripts among them cannot be run: the code interpreter is off in this chat.';
}

function withNotes(text: string, notes: readonly string[]): string {
  return [text, ...notes.map((note) => `[${note}]`)].join('\n\n');
}
