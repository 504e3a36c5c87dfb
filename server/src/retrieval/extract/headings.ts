// Where in a document a text stands, by the headings above it.

const SEPARATOR = ' > ';

export interface Headings {
  /** A heading of `level`, from 1, ends those of its level and below. */
  enter(level: number, title: string): void;
  /** The headings that hold here, from the outermost; null without any. */
  path(): string | null;
}

/** @param title of the whole: stands before all headings that differ from it */
export function createHeadings(title: string | null = null): Headings {
  const levels: { level: number; title: string }[] = [];
  return {
    enter(level, heading) {
      while ((levels.at(-1)?.level ?? 0) >= level) levels.pop();
      const plain = heading.replace(/\s+/g, ' ').trim();
      if (plain !== '') levels.push({ level, title: plain });
    },
    path() {
      const titles = levels.map((one) => one.title);
      if (title !== null && titles[0] !== title) titles.unshift(title);
      return titles.length === 0 ? null : titles.join(SEPARATOR);
    },
  };
}
