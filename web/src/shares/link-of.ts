/** The address of a shared conversation. */
export function linkOf(shareId: string): string {
  return `${window.location.origin}/share/${shareId}`;
}
