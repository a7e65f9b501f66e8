/**
 * Events: what happened, for other software that polls.
 * - Wire: `GET /events`, read by `staff`.
 * - Owns: `event_outbox`, `event`.
 * - Rules: a trigger writes an event in the transaction of its cause, with a random id. Lower modules do not know this module: it adds the
 *   triggers of members itself, and higher modules add their own with its functions (docs/decisions/0061-events.md).
 */
export { eventJobs, eventRetention } from './events.job.ts'
export { readEvents } from './events.queries.ts'
