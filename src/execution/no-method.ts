/** A call of a method that the object does not have: said with those that it has. */
export function noMethod(object: object, method: string): string {
  const has = methodsOf(object);
  return `has no method ${method}${has.length === 0 ? '' : `; it has ${has.join(', ')}`}`;
}

/** Its own, and those of its classes. Getters are not run. */
function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (let at: object = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
  return [...names];
}
