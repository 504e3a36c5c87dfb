import type { ReactNode } from 'react';

/** What went wrong, said when it appears; without a text it takes no room. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  );
}
