/** How meetings are looked for, of objects whose calls meet. */
export const RENDEZVOUS_ALGORITHMS = [
  'rendezvous-jit',
  'rendezvous-asap',
  'matching',
  'cover',
  'two-step',
] as const;

export type RendezvousAlgorithm = (typeof RENDEZVOUS_ALGORITHMS)[number];
