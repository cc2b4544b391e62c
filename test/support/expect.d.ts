/** The part of jest's `expect` that `src/integrations/jest.ts` extends. Jest is not installed here. */
declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
