import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import { personalAtom } from '../../lib/personal-data.ts';

interface Filling {
  prompt: Prompt;
  /** The draft that the text goes to. */
  draftKey: string;
}

/** The prompt whose fields are being filled in. */
export const fillingPromptAtom = personalAtom<Filling | null>(() => null);

/** The prompt that was inserted and proposes a preset or tools. */
export const proposingPromptAtom = personalAtom<Filling | null>(() => null);
