/** The command line is not understood. */
export class BadUsage extends Error {}

export class Refused extends Error {}
