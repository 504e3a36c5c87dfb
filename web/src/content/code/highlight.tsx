import { createLowlight } from 'lowlight';
import { Fragment, type ReactNode } from 'react';
import { languages } from './highlight-languages.ts';

const lowlight = createLowlight(languages);

/** 20,000 characters take about 40 ms to highlight; more would be noticeable. */
export const LONGEST_HIGHLIGHTED = 20_000;

/** Whether code in a known language is too long to be colored. */
export function isTooLongToColour(code: string, language: string): boolean {
  return code.length > LONGEST_HIGHLIGHTED && lowlight.registered(language.toLowerCase());
}

/**
 * Highlighted code if its language is named and known. Guessing the language costs five times as much, so we never do.
 */
export function highlight(code: string, language: string): ReactNode {
  const name = language.toLowerCase();
  if (code.length > LONGEST_HIGHLIGHTED || !lowlight.registered(name)) return code;
  return lowlight.highlight(name, code).children.map(draw);
}

type Drawn = ReturnType<typeof lowlight.highlight>['children'][number];

function draw(node: Drawn, key: number): ReactNode {
  switch (node.type) {
    case 'text':
      return <Fragment key={key}>{node.value}</Fragment>;
    case 'element':
      return (
        <span key={key} className={[node.properties.className].flat().join(' ')}>
          {node.children.map(draw)}
        </span>
      );
    default:
      return null;
  }
}

/**
 * The lines of a text in the colours of its language, each by itself; null if the language is not known. The caller
 * bounds the length.
 */
export function highlightLines(lines: readonly string[], language: string): ReactNode[] | null {
  const name = language.toLowerCase();
  if (!lowlight.registered(name)) return null;
  const drawn: ReactNode[][] = [[]];
  spread(lowlight.highlight(name, lines.join('\n')).children, [], drawn);
  return drawn;
}

/** Puts the nodes into their lines: those of several lines, such as comments, begin anew in each. */
function spread(nodes: readonly Drawn[], classNames: readonly string[], lines: ReactNode[][]): void {
  for (const node of nodes) {
    if (node.type === 'element') {
      spread(node.children, [...classNames, ...[node.properties.className].flat().map(String)], lines);
    } else if (node.type === 'text') {
      for (const [at, text] of node.value.split('\n').entries()) {
        if (at > 0) lines.push([]);
        const line = lines.at(-1);
        if (text === '' || !line) continue;
        line.push(
          classNames.length === 0 ? (
            text
          ) : (
            <span key={line.length} className={classNames.join(' ')}>
              {text}
            </span>
          ),
        );
      }
    }
  }
}
