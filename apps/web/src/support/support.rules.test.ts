import { expect, it } from 'vitest'
import { draftErrors, fileError, isMember, replyErrors } from './support.rules.ts'

const file = (bytes: number): File => new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' })

it('[VA-84] [VA-87] [CO-41] accepts a file of exactly 1 MB and rejects one byte more', () => {
  expect(fileError(file(1_048_576))).toBeUndefined()
  expect(fileError(file(1_048_577))).toBe('File size should be less than 1 MB')
})

it('[VA-85] [VA-86] accepts an empty selection in the size check, but not as the image of a new ticket', () => {
  expect(fileError(null)).toBeUndefined()
  expect(draftErrors({ title: 'T', description: 'D', image: null }, 0)).toEqual({ image: 'This field is required' })
  expect(draftErrors({ title: 'T', description: 'D', image: file(0) }, 0)).toEqual({ image: 'This field is required' })
})

it('[VA-79] [VA-80] [VA-81] requires title, description and image', () => {
  expect(draftErrors({ title: ' ', description: '\n', image: null }, 0)).toEqual({
    title: 'This field is required',
    description: 'This field is required',
    image: 'This field is required',
  })
})

it('counts the attached row towards the longest description', () => {
  const draft = { title: 'T', description: 'x'.repeat(4000), image: file(1) }
  expect(draftErrors(draft, 1000)).toEqual({})
  expect(draftErrors(draft, 1001)).toEqual({ description: 'Maximum length is 3999' })
})

it('[VA-82] [VA-83] requires the message of a reply, not the image', () => {
  expect(replyErrors({ message: '', image: null })).toEqual({ message: 'This field is required' })
  expect(replyErrors({ message: 'Hello', image: null })).toEqual({})
})

it('[RO-13] [EN-53] treats only USER as the member', () => {
  expect(['USER', 'SUPPORT', 'ADMIN', 'BOT'].map(isMember)).toEqual([true, false, false, false])
})
