import { isIPv6 } from 'node:net'

/**
 * What one caller is counted by: an IPv4 address, or the 64 bits of an IPv6 address that name a network. Whoever has one IPv6 address
 * has as many as they like beside it.
 */
export function callerNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [left = '', right] = address.replace(/%.*$/, '').split('::')
  const groups = left === '' ? [] : left.split(':')
  // A pair of colons stands for as many zeros as are missing; what comes behind it is behind the network.
  const missing = right === undefined ? 0 : Math.max(0, 8 - groups.length - (right === '' ? 0 : right.split(':').length))
  const network = [...groups, ...Array<string>(missing).fill('0'), ...(right ?? '').split(':')].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
