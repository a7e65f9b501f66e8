import { expect, it } from 'vitest'
import { replaceWhole } from './replace-whole.ts'

it.each([
  ['kim@gmail.com called.', '… called.'],
  ['from KIM@gmail.com, twice: kim@gmail.com', 'from …, twice: …'],
  ['<kim@gmail.com>', '<…>'],
  ['tokim@gmail.com', 'tokim@gmail.com'],
  ['a.kim@gmail.com', 'a.kim@gmail.com'],
  ['kim@gmail.com.au', 'kim@gmail.com.au'],
  ['kim@gmail.community', 'kim@gmail.community'],
  ['kim@gmailXcom', 'kim@gmailXcom'],
])('replaces a mail address only as a whole: %s', (text, expected) => {
  expect(replaceWhole(text, 'kim@gmail.com', '…')).toBe(expected)
})

it('inserts a replacement as it is', () => {
  expect(replaceWhole('by Kim', 'Kim', '$&')).toBe('by $&')
})
