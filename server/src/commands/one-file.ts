/**
 * The only argument of a command, which is a path.
 * @throws Error with `usage` where there is none, more than one, or an option
 */
export function oneFile([file, ...more]: string[], usage: string): string {
  if (!file) throw new Error(usage);
  const unknown = [file, ...more].find((arg) => arg.startsWith('--'));
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}. ${usage}`);
  if (more.length > 0) throw new Error(`Only one file at a time, not also ${more.join(', ')}. ${usage}`);
  return file;
}
