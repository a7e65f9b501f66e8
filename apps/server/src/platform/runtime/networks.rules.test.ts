import { expect, it } from 'vitest'
import { isInNetworks, networkList } from './networks.ts'

it.each([
  '10.0.0.0/',
  '10.0.0.0/ ',
  '10.0.0.0/-1',
  '10.0.0.0/0x8',
  '10.0.0.0/1e1',
  '10.0.0.0/8.0',
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '010.0.0.1',
  'fd00::/129',
  'fe80::1%eth0',
  'example.com',
  '',
  '/8',
])('networks are rejected when one is %j', (network) => {
  expect(networkList(['192.0.2.0/24', network])).toBeUndefined()
  expect(isInNetworks([network], '8.8.8.8')).toBe(false)
})

it.each([
  ['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
  ['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.2'],
  ['10.0.0.0/8', '::ffff:a00:1', '::ffff:b00:1'],
  ['fd00::/8', 'fd12::1%eth0', 'fe80::1%eth0'],
])('the network %s contains %s and not %s', (network, inside, outside) => {
  expect([inside, outside, 'x', ''].map((ip) => isInNetworks([network], ip))).toEqual([true, false, false, false])
})
