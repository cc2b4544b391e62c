export default { test: { include: ['{vitest,configured}.suite.js', 'vitest.bodies.js'] } };
