/** The address of a shared conversation. */
export function shareUrl(shareId: string): string {
  return `${window.location.origin}/share/${shareId}`;
}
