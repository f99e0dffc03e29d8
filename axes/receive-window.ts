/** The most full segments that a SYN can offer, because its window is not scaled. Linux's default since 4.19. */
export const unscaledSegments = 44;
