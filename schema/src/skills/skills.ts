// What is sent about skills.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import {
  pathProblem,
  SKILL_BODY_MAX,
  SKILL_BYTES_MAX,
  SKILL_DESCRIPTION_MAX,
  SKILL_NAME,
  SKILL_NAME_MAX,
  skillSentences,
} from './skill-rules.ts';

const text = z.string().overwrite(cleanText);
/** Four characters for each three bytes. */
const BASE64_MAX = Math.ceil(SKILL_BYTES_MAX / 3) * 4;
/** What a ZIP file has beside its files is small. */
const ZIP_BASE64_MAX = BASE64_MAX + 1_000_000;

/** What a person gives a skill. */
export const SkillFields = z.strictObject({
  name: text.trim().max(SKILL_NAME_MAX).regex(SKILL_NAME, skillSentences.name),
  description: text.trim().min(1, skillSentences.description).max(SKILL_DESCRIPTION_MAX),
  body: text.max(SKILL_BODY_MAX).refine((body) => body.trim() !== '', skillSentences.body),
});

/** Creates the skill with this id, made by the client, or replaces its fields. */
export const SaveSkill = SkillFields.extend({ id: Id });
export type SaveSkill = z.infer<typeof SaveSkill>;

export const SkillRef = z.strictObject({ id: Id });
/** Also of another person's that is shared. */
export const AnySkillRef = z.strictObject({ ownerId: Id, id: Id });
export type AnySkillRef = z.infer<typeof AnySkillRef>;

export const SkillPath = text.superRefine((path, context) => {
  const problem = pathProblem(path);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

export const SkillFileRef = SkillRef.extend({ path: SkillPath });
export type SkillFileRef = z.infer<typeof SkillFileRef>;

/** `content` is in base64. */
export const PutSkillFile = SkillFileRef.extend({ content: z.base64().max(BASE64_MAX) });
export type PutSkillFile = z.infer<typeof PutSkillFile>;

/** A ZIP file in base64, which becomes the skill with this id. `fileName` names a skill that has no name of its own. */
export const ImportSkill = SkillRef.extend({ content: z.base64().max(ZIP_BASE64_MAX), fileName: text.max(256) });
export type ImportSkill = z.infer<typeof ImportSkill>;
