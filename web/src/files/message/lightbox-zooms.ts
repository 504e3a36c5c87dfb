/** Percent of the size at which the whole image is seen. */
export const ZOOMS = [100, 150, 200, 300, 400] as const;
