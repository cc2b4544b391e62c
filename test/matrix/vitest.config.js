export default { test: { include: ['vitest.suite.js'] } };
