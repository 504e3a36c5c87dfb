import type { Assistant } from '@parley/schema/assistants/assistants';

type Listed = Pick<Assistant, 'name' | 'description' | 'sharedBy'>;

/** Those whose name, description or owner has the text, in any case: a person's own, and those of others. */
export function findAssistants<One extends Listed>(assistants: readonly One[], text: string) {
  const wanted = text.trim().toLocaleLowerCase();
  const found = assistants.filter(({ name, description, sharedBy }) =>
    [name, description, sharedBy].some((part) => (part ?? '').toLocaleLowerCase().includes(wanted)),
  );
  return {
    own: found.filter(({ sharedBy }) => sharedBy === undefined),
    shared: found.filter(({ sharedBy }) => sharedBy !== undefined),
  };
}
