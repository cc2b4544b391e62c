/** What multithreading expects of newer versions of Node. */
globalThis.navigator ??= { hardwareConcurrency: 2 };
Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new this((...given) => {
    [resolve, reject] = given;
  });
  return { promise, resolve, reject };
};
