/** A function of unknown type: of the user, or of Node. Calls through it are not type-checked. */
// biome-ignore lint/suspicious/noExplicitAny: functions of user code have any type
export type AnyFunction = (this: any, ...args: any[]) => any;
