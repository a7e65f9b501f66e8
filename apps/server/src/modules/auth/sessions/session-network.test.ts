import { expect, it } from 'vitest'
import { readConfig } from '../../../platform/config/config.ts'
import { sessionNetwork } from './session-network.ts'

const of = (offices: string) => readConfig({ NODE_ENV: 'test', OFFICE_NETWORKS: offices })

it.each([
  ['203.0.113.7', '203.0.113.7', null],
  ['203.0.113.7/32', '::ffff:203.0.113.7', null],
  ['203.0.113.7', '203.0.113.8', '203.0.113.8'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::5', null],
  ['2001:db8:0:1::', '2001:db8:0:2::5', '2001:db8:0:2::/64'],
  ['', '203.0.113.7', '203.0.113.7'],
])('with the office %s, a session from %s has the network %s', (offices, ip, network) => {
  expect(sessionNetwork(of(offices), ip)).toBe(network)
})

it.each(['office', '203.0.113.0/24', '2001:db8::/48', '203.0.113.7,x'])('rejects the office network %s', (offices) => {
  expect(() => of(offices)).toThrow('OFFICE_NETWORKS')
})
