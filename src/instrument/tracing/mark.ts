/** The name by which recorded code knows what it tells its accesses to; a function whose text has it is recorded. */
export const RECORDING = '$straightedge$r';
