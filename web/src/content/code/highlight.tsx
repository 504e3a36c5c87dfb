import { createLowlight } from 'lowlight';
import { Fragment, type ReactNode } from 'react';
import { languages } from './highlight-languages.ts';

const lowlight = createLowlight(languages);

/** 20,000 characters take about 40 ms to highlight; more would be noticeable. */
const LONGEST_HIGHLIGHTED = 20_000;

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
