import { Toasts } from '../toast/toasts.tsx';
import { Tooltips } from '../tooltip/tooltips.tsx';

/** What any screen may show above itself. */
export function Overlays() {
  return (
    <>
      <Toasts />
      <Tooltips />
    </>
  );
}
