/** A startup failure with a text for the operator. It is printed without a stack. */
export class StartupError extends Error {}
