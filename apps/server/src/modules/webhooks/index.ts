/**
 * Webhooks: events that are sent to the operator's other software.
 * - Wire: `/staff/webhooks`, bound by `staff`.
 * - Owns `webhook_endpoint` and `webhook_delivery`.
 * - Rules: two people approve an address; each event is sent until it is accepted or ten attempts have failed, in the order of each object
 *   (docs/decisions/0070-webhooks.md).
 */
export {
  assertEndpoint,
  type EndpointInput,
  readEndpoint,
  rotateSecret,
  saveEndpoint,
  stopAllEndpoints,
  stopEndpoint,
  webhookSecrets,
} from './endpoints.ts'
export { webhookJobs, webhookRetention } from './send-webhooks.job.ts'
export { brokenEndpoints, listDeliveries, listEndpoints, sendAgain } from './webhooks.queries.ts'
