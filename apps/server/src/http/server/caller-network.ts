import { isIPv6 } from 'node:net'

/**
 * Returns a caller's network for rate limits: the IPv4 address, or the /64 of an IPv6 address. A /64 usually belongs to one customer, who
 * can use all its addresses.
 */
export function callerNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [left = '', right] = address.replace(/%.*$/, '').split('::')
  const groups = left === '' ? [] : left.split(':')
  // A double colon replaces the missing zero groups. Later groups lie outside the /64.
  const missing = right === undefined ? 0 : Math.max(0, 8 - groups.length - (right === '' ? 0 : right.split(':').length))
  const network = [...groups, ...Array<string>(missing).fill('0'), ...(right ?? '').split(':')].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
