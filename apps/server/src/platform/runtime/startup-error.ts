/** Why something does not start, in words for whoever started it: no stack stands behind them. */
export class StartupError extends Error {}
