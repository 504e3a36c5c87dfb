// Comments of OpenDocument files, which stand inside the text that they are about.

/** Reads a comment that begins by `annotation`. */
export function createAnnotation() {
  let depth = 0;
  let inCreator = false;
  let inText = 0;
  let creator = '';
  let text = '';
  return {
    /** Whether a comment is open; its tags and text are of nothing else. */
    isOpen: () => depth > 0,
    open(tag: string): void {
      if (depth === 0) [creator, text] = ['', ''];
      depth++;
      if (tag === 'creator') inCreator = true;
      if (tag !== 'p') return;
      inText++;
      text += ' ';
    },
    /** The comment when it ends; null before that, and for one without text. */
    close(tag: string): string | null {
      depth--;
      if (tag === 'creator') inCreator = false;
      if (tag === 'p') inText--;
      const told = text.replace(/\s+/g, ' ').trim();
      if (depth > 0 || told === '') return null;
      return creator.trim() === '' ? `[${told}]` : `[${creator.trim()}: ${told}]`;
    },
    text(more: string): void {
      if (inCreator) creator += more;
      else if (inText > 0) text += more;
    },
  };
}
