// `SKILL.md`: a head in YAML between two lines of dashes, with name and description, and the instructions below it.
import { cleanText } from '@parley/schema/clean-text';
import { isObject } from '@parley/schema/json';
import { SKILL_BODY_MAX, SKILL_DESCRIPTION_MAX, skillNameFrom } from '@parley/schema/skills/skill-rules';
import { parseDocument, stringify } from 'yaml';

export interface SkillText {
  name: string;
  description: string;
  body: string;
}

/** Characters of a head: its two fields and what other products add. */
const HEAD_MAX = 16_000;
const HEAD = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Null without instructions or a description. What is longer than it may be is cut.
 * @param fallback names a skill whose head has no name
 */
export function readSkillMarkdown(given: string, fallback: string): (SkillText & { isCut: boolean }) | null {
  const head = HEAD.exec(given.slice(0, HEAD_MAX));
  const fields = head ? parseHead(head[1] ?? '') : null;
  const body = cleanText(given.slice(head?.[0].length ?? 0)).trim();
  const description = textOf(fields?.description).replaceAll(/\s+/g, ' ').trim();
  if (body === '' || description === '') return null;
  return {
    name: skillNameFrom(textOf(fields?.name).trim() || fallback),
    description: description.slice(0, SKILL_DESCRIPTION_MAX).toWellFormed().trim(),
    body: body.slice(0, SKILL_BODY_MAX).toWellFormed(),
    isCut: body.length > SKILL_BODY_MAX || description.length > SKILL_DESCRIPTION_MAX,
  };
}

export function writeSkillMarkdown({ name, description, body }: SkillText): string {
  return `---\n${stringify({ name, description }, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

/** Null for what is no YAML, and for aliases, which a head has no use for. */
function parseHead(text: string): Record<string, unknown> | null {
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0) return null;
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? cleanText(String(value)) : '';
}
