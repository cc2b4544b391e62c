/** How meetings are looked for, of objects whose calls meet. */
export const MEETING_ALGORITHMS = ['meet-jit', 'meet-asap', 'matching', 'cover', 'two-step'] as const;

export type MeetingAlgorithm = (typeof MEETING_ALGORITHMS)[number];
