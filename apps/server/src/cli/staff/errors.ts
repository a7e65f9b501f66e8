/** Thrown for an invalid command line. */
export class BadUsage extends Error {}

export class CommandError extends Error {}
