// Skills that are being written, by their ids: what was typed stays while the settings are closed.
import type { Skill } from '@parley/schema/skills/skill-rules';
import { atom } from 'jotai';
import { newId } from '../../lib/new-id.ts';
import { personalAtom } from '../../lib/personal-data.ts';

export interface SkillDraft {
  id: string;
  name: string;
  description: string;
  body: string;
}

/** The skill that is open, by its owner and id; a new one has no owner yet. */
export interface OpenRef {
  ownerId: string | null;
  id: string;
  /** Of a new one. */
  draft?: SkillDraft;
}

const storedAtom = personalAtom<Readonly<Record<string, SkillDraft>>>(() => ({}));

/** Null forgets the draft. */
export const skillDraftsAtom = atom(
  (get) => get(storedAtom),
  (get, set, id: string, draft: SkillDraft | null) => {
    const { [id]: _before, ...others } = get(storedAtom);
    set(storedAtom, draft ? { ...others, [id]: draft } : others);
  },
);

export function emptyDraft(): SkillDraft {
  return { id: newId(), name: '', description: '', body: '' };
}

export function draftOfSkill({ id, name, description, body }: Skill): SkillDraft {
  return { id, name, description, body };
}
