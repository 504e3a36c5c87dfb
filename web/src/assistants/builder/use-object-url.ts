import { useEffect, useMemo } from 'react';

/** An address of a file that is not stored yet, as long as it is shown. */
export function useObjectUrl(file: File | null): string | null {
  const url = useMemo(() => (file ? URL.createObjectURL(file) : null), [file]);
  useEffect(() => () => void (url !== null && URL.revokeObjectURL(url)), [url]);
  return url;
}
