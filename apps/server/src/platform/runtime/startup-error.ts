/** Startup failure with a text for the operator, printed without a stack. */
export class StartupError extends Error {}
