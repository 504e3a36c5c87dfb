import { useAtomValue } from 'jotai';
import { startTransition, use, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { BARE_MARK, BRACKET_MARK, DISPLAY_MARK, displayedSource } from './normalise-math.ts';
import { settingAtom } from '../../stored-settings.ts';
import { OpenBlockContext } from '../open-block.ts';
import classes from './math-formula.module.css';
import type { typeset as typesetFormula } from './typeset.ts';
import { InOrder } from '../../ui/primitives/in-order.tsx';

type Typeset = typeof typesetFormula;

/** The typesetter once loaded. It is large, so the first rendered formula loads it. */
let typesetter: Typeset | undefined;

/** A formula; shows its source until the typesetter loads, or if it cannot load. */
export function MathFormula({ source }: { source: string }) {
  return useAtomValue(settingAtom('LaTeXParsing')) ? <Formula source={source} /> : <Source source={source} />;
}

interface MathBlockProps {
  code: string;
  open: boolean;
  /** What stands there where formulas are not wanted. */
  source: ReactNode;
}

/** A block of code in the language "math": the formulas of its paragraphs. */
export function MathBlock({ code, open, source }: MathBlockProps) {
  if (!useAtomValue(settingAtom('LaTeXParsing'))) return source;
  const formulas = code.includes('\\begin') ? [code] : code.split(/\n[ \t]*\n/);
  return (
    <OpenBlockContext value={open}>
      <InOrder items={formulas}>
        {(formula) => (
          <p>
            <Formula source={displayedSource(withoutDelimiters(formula))} />
          </p>
        )}
      </InOrder>
    </OpenBlockContext>
  );
}

/** Some models write the delimiters of a displayed formula in such a block as well. */
function withoutDelimiters(formula: string): string {
  const text = formula.trim();
  return /^(?:\$\$|\\\[)/.test(text) ? text.slice(2).replace(/(?:\$\$|\\\])$/, '') : formula;
}

/** The source between the marks that it was written with, where formulas are not wanted. */
function Source({ source }: { source: string }) {
  const { formula, isDisplayed, isBracketed, isBare } = readMarks(source);
  if (isBare) return <>{formula}</>;
  if (isBracketed) return <>{isDisplayed ? `\\[${formula}\\]` : `\\(${formula}\\)`}</>;
  return <>{isDisplayed ? `$$${formula}$$` : `$${formula}$`}</>;
}

function Formula({ source }: { source: string }) {
  const { formula, isDisplayed } = readMarks(source);
  const typeset = useTypesetter();
  const className = isDisplayed ? classes.displayed : classes.inline;
  if (!typeset) return <span className={`${className} ${classes.source}`}>{formula}</span>;
  return <Drawn key="drawn" typeset={typeset} formula={formula} displayed={isDisplayed} className={className} />;
}

function readMarks(source: string) {
  const isDisplayed = source.startsWith(DISPLAY_MARK);
  const rest = isDisplayed ? source.slice(DISPLAY_MARK.length) : source;
  const isBracketed = rest.startsWith(BRACKET_MARK);
  const isBare = rest.startsWith(BARE_MARK);
  return { formula: isBracketed || isBare ? rest.slice(1) : rest, isDisplayed, isBracketed, isBare };
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
