// Inside a clone of straightedge, vitest would use the configuration of the project.
export default {};
