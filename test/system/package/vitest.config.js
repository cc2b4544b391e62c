export default { test: { include: ['{vitest,configured}.suite.js'] } };
