import { useAtomValue } from 'jotai';
import { startTransition, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { BRACKET_MARK, DISPLAY_MARK } from './normalise-math.ts';
import { settingAtom } from '../../stored-settings.ts';
import { OpenBlockContext } from '../open-block.ts';
import classes from './math-formula.module.css';
import type { typeset as typesetFormula } from './typeset.ts';

type Typeset = typeof typesetFormula;

/** The typesetter once loaded. It is large, so the first rendered formula loads it. */
let typesetter: Typeset | undefined;

/** A formula; shows its source until the typesetter loads, or if it cannot load. */
export function MathFormula({ source }: { source: string }) {
  return useAtomValue(settingAtom('LaTeXParsing')) ? <Formula source={source} /> : <Source source={source} />;
}

/** The source between the marks that it was written with, where formulas are not wanted. */
function Source({ source }: { source: string }) {
  const { formula, isDisplayed, isBracketed } = readMarks(source);
  if (isBracketed) return <>{isDisplayed ? `\\[${formula}\\]` : `\\(${formula}\\)`}</>;
  return <>{isDisplayed ? `$$${formula}$$` : `$${formula}$`}</>;
}

function Formula({ source }: { source: string }) {
  const typeset = useTypesetter();
  const { formula, isDisplayed } = readMarks(source);
  const className = isDisplayed ? classes.displayed : classes.inline;
  if (!typeset) return <span className={`${className} ${classes.source}`}>{formula}</span>;
  return <Drawn key="drawn" typeset={typeset} formula={formula} displayed={isDisplayed} className={className} />;
}

function readMarks(source: string) {
  const isDisplayed = source.startsWith(DISPLAY_MARK);
  const rest = isDisplayed ? source.slice(DISPLAY_MARK.length) : source;
  const isBracketed = rest.startsWith(BRACKET_MARK);
  return { formula: isBracketed ? rest.slice(BRACKET_MARK.length) : rest, isDisplayed, isBracketed };
}

interface DrawnProps {
  typeset: Typeset;
  formula: string;
  displayed: boolean;
  className: string | undefined;
}

function Drawn({ typeset, formula, displayed, className }: DrawnProps) {
  const place = useRef<HTMLSpanElement>(null);
  const open = use(OpenBlockContext);
  useLayoutEffect(() => {
    if (place.current) typeset(place.current, formula, displayed, open);
  }, [typeset, formula, displayed, open]);
  return <span ref={place} className={className} dir="ltr" />;
}

function useTypesetter(): Typeset | undefined {
  const [typeset, setTypeset] = useState(() => typesetter);
  useEffect(() => {
    if (typeset) return;
    let gone = false;
    void loadTypesetter().then((loaded) => {
      if (!gone && loaded) startTransition(() => setTypeset(() => loaded));
    });
    return () => {
      gone = true;
    };
  }, [typeset]);
  return typeset;
}

async function loadTypesetter(): Promise<Typeset | undefined> {
  try {
    typesetter ??= (await import('./typeset.ts')).typeset;
  } catch {
    return undefined;
  }
  return typesetter;
}
