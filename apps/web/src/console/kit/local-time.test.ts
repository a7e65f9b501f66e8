import { expect, it } from 'vitest'
import { allClocks, localTime } from './local-time.tsx'

const now = new Date('2026-11-21T14:32:00Z')

it('returns the local time of a member, or nothing for an unknown time zone', () => {
  expect([localTime('Africa/Nairobi', now), localTime('America/Argentina/Buenos_Aires', now), localTime('UTC', now)]).toEqual([
    '17:32, Nairobi',
    '11:32, Buenos Aires',
    '14:32, UTC',
  ])
  expect([localTime(undefined), localTime('Nowhere/At_All'), localTime('<b>')]).toEqual([undefined, undefined, undefined])
  expect(allClocks(now, 'Africa/Nairobi')).toContain('14:32')
  expect(allClocks(now, 'Africa/Nairobi')).toMatch(/ · theirs 17:32, Nairobi$/)
  expect(allClocks(now, 'Nowhere')).not.toContain('theirs')
})
