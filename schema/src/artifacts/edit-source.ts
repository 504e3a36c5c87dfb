// Changes of a source by the words that are to be replaced, as models make them.

export interface SourceEdit {
  /** Occurs exactly once. */
  find: string;
  replace: string;
}

/**
 * The source after all edits, each made in what the ones before it have left; or why it is none, for the model. The
 * work is linear, whatever is looked for.
 */
export function editSource(source: string, edits: readonly SourceEdit[]): { source: string } | { problem: string } {
  let edited = source;
  for (const [index, { find, replace }] of edits.entries()) {
    const places = placesOf(find, edited);
    const [at] = places;
    if (at === undefined || places.length > 1) return { problem: problemOf(index + 1, find, places.length) };
    edited = edited.slice(0, at) + replace + edited.slice(at + find.length);
  }
  return edited === source ? { problem: 'The edits change nothing.' } : { source: edited };
}

function problemOf(edit: number, find: string, count: number): string {
  const nothing = 'Nothing was changed.';
  if (find === '') return `Edit ${edit}: \`find\` is empty. ${nothing}`;
  if (count === 0) return `Edit ${edit}: \`find\` occurs 0 times; it must occur exactly once. ${nothing}`;
  return `Edit ${edit}: \`find\` occurs ${count} times; it must occur exactly once. Add text around it. ${nothing}`;
}

/**
 * Where a text occurs, also where it overlaps itself. Knuth, Morris and Pratt's: the search of the language takes
 * seconds for texts that repeat themselves.
 */
function placesOf(find: string, source: string): number[] {
  if (find === '') return [];
  const borders = new Uint32Array(find.length);
  for (let at = 1, length = 0; at < find.length; at++) {
    while (length > 0 && find[at] !== find[length]) length = borders[length - 1] ?? 0;
    if (find[at] === find[length]) length++;
    borders[at] = length;
  }
  const places: number[] = [];
  for (let at = 0, length = 0; at < source.length; at++) {
    while (length > 0 && source[at] !== find[length]) length = borders[length - 1] ?? 0;
    if (source[at] === find[length]) length++;
    if (length < find.length) continue;
    places.push(at - length + 1);
    length = borders[length - 1] ?? 0;
  }
  return places;
}
