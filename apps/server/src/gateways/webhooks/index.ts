/**
 * Sends webhooks by Standard Webhooks 1.0 to receivers that two admins approved (docs/decisions/0070-webhooks.md).
 * - Only public addresses and WEBHOOK_NETWORKS, checked at each connect; no redirects; bounded time and bytes.
 */
export { openReceiver, type WebhookAnswer } from './open-receiver.ts'
export { receiverError } from './receiver-address.ts'
export { signedHeaders, webhookSecret } from './sign-webhook.ts'
