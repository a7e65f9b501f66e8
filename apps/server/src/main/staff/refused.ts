/** The command line is not understood. */
export class BadUsage extends Error {}

/** The product refused. */
export class Refused extends Error {}
