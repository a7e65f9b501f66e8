import { callerNetwork } from '../../http/server/caller-network.ts'
import type { Config } from '../../platform/config/config.ts'

/**
 * Returns the network of a session, to find people who share one: an IPv4 address or an IPv6 /64, as the rate limits count it.
 * Null for an office network of the operator, so that people who share it are not shown as linked.
 */
export function sessionNetwork(config: Pick<Config, 'officeNetworks'>, ip: string): string | null {
  const network = callerNetwork(ip)
  return config.officeNetworks.some((office) => callerNetwork(office) === network) ? null : network
}
