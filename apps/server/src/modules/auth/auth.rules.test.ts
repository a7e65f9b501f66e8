import { expect, it } from 'vitest'
import { endsAt } from './auth.rules.ts'

it('[GN-10] codes and links expire after the configured times', () => {
  const now = new Date('2026-03-02T09:00:00Z')
  const lives = { codeMinutes: 5, verifyLinkHours: 48, resetLinkMinutes: 90 }
  expect(Object.values(endsAt).map((end) => end(lives, now).toISOString())).toEqual([
    '2026-03-02T09:05:00.000Z',
    '2026-03-04T09:00:00.000Z',
    '2026-03-02T10:30:00.000Z',
  ])
})
