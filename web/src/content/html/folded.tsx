import { use, type ReactNode } from 'react';
import { PrintContext, StaticContext } from '../static-context.ts';

/** A part of a message that the reader unfolds; on paper and in pictures all of it is shown. */
export function Folded({ isOpen, children }: { isOpen: boolean; children?: ReactNode }) {
  const isStill = use(StaticContext);
  const isPrinted = use(PrintContext);
  return <details open={isOpen || isStill || isPrinted || undefined}>{children}</details>;
}
