import { expect, it } from 'vitest'
import { sentences } from './sentences.ts'

it('ends each text with one period and skips empty ones', () => {
  expect(sentences('signed in from a new device', 'Ends on 24 Nov UTC.', undefined, ' ')).toBe(
    'Signed in from a new device. Ends on 24 Nov UTC.',
  )
  expect(sentences('Is it theirs?', 'compare it')).toBe('Is it theirs? Compare it.')
  expect(sentences(undefined)).toBe('')
})
