import { avatarBytesMax, fileLimitsOf, type FileLimits } from '@parley/schema/files/file-limits';
import { getQueryKey } from '@trpc/react-query';
import { useMemo } from 'react';
import { api, queryClient, trpc } from '../../trpc.ts';

/** The limits of an endpoint; null until the site's are known. */
export function useFileLimits(endpoint: string | undefined): FileLimits | null {
  const { data } = useConfig();
  return useMemo(
    () => (data === undefined || endpoint === undefined ? null : fileLimitsOf(endpoint, data)),
    [data, endpoint],
  );
}

/**
 * The same outside a render: waits until they are known. Without an answer the built-in ones hold, and the server's.
 */
export async function readFileLimits(endpoint: string): Promise<FileLimits> {
  const yaml = await queryClient
    .ensureQueryData({
      queryKey: getQueryKey(trpc.files.config, undefined, 'query'),
      queryFn: () => api.files.config.query(),
    })
    .catch(() => null);
  return fileLimitsOf(endpoint, yaml);
}

/** The largest profile image, in bytes; null until it is known. */
export function useAvatarBytesMax(): number | null {
  const { data } = useConfig();
  return data === undefined ? null : avatarBytesMax(data);
}

function useConfig() {
  return trpc.files.config.useQuery(undefined, { staleTime: Infinity });
}
