// Boxes to tick and lists to choose from in Word documents: content controls, and the fields of older forms.
import { isOn } from './package.ts';
import { TICKED, UNTICKED } from './word-symbols.ts';

interface Control {
  /** Null for one that is no box. */
  isTicked: boolean | null;
  isTold: boolean;
  /** Whether its content has begun. */
  isOpen: boolean;
}

interface OlderField {
  /** Null for a list to choose from. */
  isTicked: boolean | null;
  chosen: number;
  entries: string[];
}

/** @param add adds to the paragraph that is open */
export function createForms(add: (text: string) => void) {
  /** The open content controls, the innermost last. */
  const controls: Control[] = [];
  let older: OlderField | null = null;

  function readOlder(field: OlderField, tag: string, value: string | undefined): void {
    if (tag === 'listEntry') field.entries.push(value ?? '');
    else if (field.isTicked === null && (tag === 'result' || tag === 'default')) field.chosen = Number(value) || 0;
    else if (tag === 'checked' || tag === 'default') field.isTicked = isOn(value);
  }

  return {
    /** Whether the box that is open is told: the sign that it shows, of whatever font, is not told again. */
    isToldBox: () => controls.some(({ isTold }) => isTold),
    tellBox(): void {
      const control = controls.at(-1);
      if (!control?.isOpen || control.isTicked === null || control.isTold) return;
      add(control.isTicked ? TICKED : UNTICKED);
      control.isTold = true;
    },
    open(tag: string, value: string | undefined): void {
      const control = controls.at(-1);
      if (older) readOlder(older, tag, value);
      else if (tag === 'sdt') controls.push({ isTicked: null, isTold: false, isOpen: false });
      else if (tag === 'checkbox' && control) control.isTicked = false;
      else if (tag === 'checked' && control?.isTicked === false) control.isTicked = isOn(value);
      else if (tag === 'sdtContent' && control) control.isOpen = true;
      else if (tag === 'checkBox') older = { isTicked: false, chosen: 0, entries: [] };
      else if (tag === 'ddList') older = { isTicked: null, chosen: 0, entries: [] };
    },
    close(tag: string): void {
      if (tag === 'sdt') controls.pop();
      if ((tag !== 'checkBox' && tag !== 'ddList') || !older) return;
      const { isTicked, entries, chosen } = older;
      add(isTicked === null ? (entries[chosen] ?? '') : isTicked ? TICKED : UNTICKED);
      older = null;
    },
  };
}
