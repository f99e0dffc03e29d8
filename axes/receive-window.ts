/** As many full segments as a SYN, whose window is not scaled, can offer; what Linux offers by itself since 4.19. */
export const unscaledSegments = 44;
