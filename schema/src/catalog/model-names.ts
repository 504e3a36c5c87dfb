/** A piece of a model's name, or what the name must look like. */
export type NamePiece = string | RegExp;

/** Matches anywhere in the name: gateways add prefixes and suffixes. */
export function isNamed(model: string, piece: NamePiece): boolean {
  return typeof piece === 'string' ? model.includes(piece) : piece.test(model);
}

const NAMES_MAX = 1000;

/** Remembers what is found for each name: a table is searched once for a model, and not at each question. */
export function byName<T>(find: (model: string) => T): (model: string) => T {
  const known = new Map<string, { found: T }>();
  return (model) => {
    const before = known.get(model);
    if (before) return before.found;
    if (known.size >= NAMES_MAX) known.clear();
    const found = find(model);
    known.set(model, { found });
    return found;
  };
}

/** The common name of a model's family; null if it has none. */
export function modelFamily(model: string): string | null {
  if (model.includes('mistral')) return 'Mistral';
  if (model.includes('gpt-3')) return 'GPT-3.5';
  if (model.includes('gpt-4')) return 'GPT-4';
  return null;
}
