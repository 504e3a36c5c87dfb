/** The location of a value in a yaml tree: map keys and list indexes from the root. */
export type Path = readonly PropertyKey[];

/** The path as text: `endpoints.custom[0].apiKey`, `models["gpt-4.1"]`. */
export function pathText(path: Path): string {
  return path.map(stepText).join('').replace(/^\./, '');
}

function stepText(step: PropertyKey): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[\w-]+$/.test(String(step)) ? `.${String(step)}` : `[${JSON.stringify(String(step))}]`;
}

/** The value at `path`; undefined when the path does not exist. */
export function valueAt(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    const isBranch = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isBranch ? Reflect.get(value, step) : undefined;
  }, tree);
}
