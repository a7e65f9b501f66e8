import { BlockList, isIP, isIPv4 } from 'node:net'

/** Builds the list of networks in CIDR notation or single addresses. Returns undefined if one is not valid. */
export function networkList(networks: readonly string[]): BlockList | undefined {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix, ...rest] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const bits = family === 'ipv4' ? 32 : 128
    // `Number` reads an empty prefix as 0, which is every address.
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || length > bits) return undefined
    list.addSubnet(address, length, family)
  }
  return list
}

/** Returns true for an IP address in one of the networks. An IPv4 address that is written as IPv6 counts as IPv4. */
export function isInNetworks(networks: readonly string[], ip: string): boolean {
  const address = ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) !== 0 && networkList(networks)?.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') === true
}
