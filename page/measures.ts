/** The timeline, in pixels: room for names on the left, for the axis at the top, and for each lane. */
export const GUTTER = 110;
export const HEAD = 42;
export const LANE = 24;
