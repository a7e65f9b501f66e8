import { callerNetwork } from '../../../http/server/caller-network.ts'
import type { Config } from '../../../platform/config/config.ts'

/**
 * Returns the network of a session, to find people who share a network: the IPv4 address or the IPv6 /64, as for rate limits. Null for an
 * office network of the operator, so that people in this network do not become linked accounts.
 */
export function sessionNetwork(config: Pick<Config, 'officeNetworks'>, ip: string): string | null {
  const network = callerNetwork(ip)
  return config.officeNetworks.some((office) => callerNetwork(office) === network) ? null : network
}
