/** Thrown for an invalid command line. */
export class BadUsage extends Error {}

export class Refused extends Error {}
