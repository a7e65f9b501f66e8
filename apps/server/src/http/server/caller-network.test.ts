import { expect, it } from 'vitest'
import { callerNetwork } from './caller-network.ts'

it('counts one IPv6 /64 network as one caller, and an IPv4 address in any form as one caller', () => {
  expect(callerNetwork('203.0.113.7')).toBe('203.0.113.7')
  expect(callerNetwork('::ffff:203.0.113.7')).toBe('203.0.113.7')
  const one = ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8::1:0:0:0:5', '2001:0db8:0000:0001::']
  expect(new Set(one.map(callerNetwork))).toEqual(new Set(['2001:db8:0:1::/64']))
  expect(callerNetwork('2001:db8:0:2::1')).not.toBe(callerNetwork('2001:db8:0:1::1'))
  expect(callerNetwork('::1')).toBe('0:0:0:0::/64')
  expect(callerNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(callerNetwork('64:ff9b::192.0.2.33')).toBe('64:ff9b:0:0::/64')
})
