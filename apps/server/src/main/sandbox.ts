/**
 * `npm run sandbox`: runs the sandbox payment provider and the development chain as a separate process. Set PAYMENT_PROVIDER_URL to the
 * provider; both need the same PAYMENT_PROVIDER_SECRET. SANDBOX_PORT defaults to PORT + 1.
 * API and worker that start later in the same DATA_DIR use the chain.
 */
import path from 'node:path'
import { startSandboxProvider } from '../sandbox/index.ts'
import { commandLine } from '../cli/command-line.mjs'
import { createDeps } from './deps.ts'
import { readConfigOrExit } from './read-config.ts'
import { openDevChain } from '../sandbox/open-dev-chain.ts'
import { onTermination } from '../platform/runtime/termination.ts'

commandLine('sandbox')
const deps = createDeps(readConfigOrExit())
const { config } = deps
if (!config.sandbox) {
  console.error('The sandbox payment provider does not run in production or with SANDBOX=off.')
  process.exit(2)
}
const provider = await startSandboxProvider({
  secret: config.paymentProviderSecret,
  apiKey: config.paymentProviderKey,
  port: config.sandboxPort ?? config.port + 1,
  host: config.host,
  folder: path.join(config.dataDir, 'sandbox'),
})
const opened = openDevChain(deps)
// Before the chain has started, because its node would outlive a signal that ends the process meanwhile.
onTermination(async () => {
  await Promise.all([provider.close(), opened.then((chain) => chain.close())])
})
const devChain = await opened
console.log(`Sandbox payment provider: ${provider.url}`)
console.log(devChain.note ?? `Dev chain: ${devChain.config.chain?.rpcUrl ?? 'off'}`)
