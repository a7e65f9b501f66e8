import { type LookupAddress, lookup } from 'node:dns'
import { isIP, isIPv4, type LookupFunction } from 'node:net'
import type { Config } from '../../platform/config/config.ts'
import { isInNetworks } from '../../platform/runtime/networks.ts'

type FindAddresses = (host: string, found: (error: Error | null, addresses: LookupAddress[]) => void) => void
type AddressRules = Pick<Config, 'mode' | 'webhookNetworks'>

/** Networks that are not public (IANA special-purpose registries, RFC 6890), and those that lead to IPv4 addresses. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]
/** Public IPv6 addresses. Loopback, private, link-local and IPv4-mapped addresses are outside. */
const GLOBAL_IPV6 = ['2000::/3']

/** Returns true for an address that webhooks may be sent to: a public one, or one in WEBHOOK_NETWORKS. */
export function isAllowedAddress({ webhookNetworks }: AddressRules, address: string): boolean {
  if (isInNetworks(webhookNetworks, address)) return true
  return !isInNetworks(NOT_PUBLIC, address) && (isIPv4(address) || isInNetworks(GLOBAL_IPV6, address))
}

/** Returns why a receiver's URL is not allowed; undefined if it is. The addresses of its name are checked at each connect. */
export function receiverError(rules: AddressRules, text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null) return 'Enter a URL'
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || rules.mode === 'production')) return 'Enter a URL that begins with https://'
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'Enter a URL without a user name, password or #'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !isAllowedAddress(rules, host) ? 'This address is not public' : undefined
}

/**
 * Returns the name lookup for the connections to one receiver. It fails if any address of the name is not allowed. The connections use only
 * addresses that it returned: a name that changes between check and connect (DNS rebinding) gains nothing. It asks once, because lookups
 * share two threads of the process, which a slow name server would hold once for each connection.
 */
export function checkedLookup(
  rules: AddressRules,
  find: FindAddresses = (host, found) => lookup(host, { all: true }, found),
): LookupFunction {
  let answer: { error: Error | null; addresses: LookupAddress[] } | undefined
  const waiting: (() => void)[] = []
  const ask = (host: string) =>
    find(host, (error, addresses) => {
      answer = { error: error ?? addressError(rules, addresses), addresses }
      for (const tell of waiting.splice(0)) tell()
    })
  return (host, options, done) => {
    const tell = () => {
      const { error, addresses } = answer ?? { error: new Error('NO_ADDRESS'), addresses: [] }
      const [first] = addresses
      if (error !== null || first === undefined) done(error, '')
      else if (options.all === true) done(null, addresses)
      else done(null, first.address, first.family)
    }
    if (answer !== undefined) return process.nextTick(tell)
    waiting.push(tell)
    if (waiting.length === 1) ask(host)
  }
}

/** Returns why a name's addresses are not allowed; null if they are. */
function addressError(rules: AddressRules, addresses: readonly LookupAddress[]): Error | null {
  if (addresses.length === 0) return new Error('NO_ADDRESS')
  return addresses.every(({ address }) => isAllowedAddress(rules, address)) ? null : new Error('ADDRESS_NOT_PUBLIC')
}
