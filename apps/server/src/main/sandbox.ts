/**
 * `npm run sandbox`: the sandbox payment provider as a process of its own. Point the product at it with
 * PAYMENT_PROVIDER_URL; both need the same PAYMENT_PROVIDER_SECRET. SANDBOX_PORT is its port, 3100 when not set.
 */
import path from 'node:path'
import { startSandboxProvider } from '../sandbox/index.ts'
import { onTermination, readConfigOrExit } from './deps.ts'

const config = readConfigOrExit()
if (!config.sandbox) {
  console.error('The sandbox payment provider does not run in production or with SANDBOX=off.')
  process.exit(2)
}
const provider = await startSandboxProvider({
  secret: config.paymentProviderSecret,
  apiKey: config.paymentProviderKey,
  port: config.sandboxPort ?? 3100,
  host: config.host,
  folder: path.join(config.dataDir, 'sandbox'),
})
onTermination(() => provider.close())
console.log(`Sandbox payment provider: ${provider.url}`)
